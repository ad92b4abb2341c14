// Reads the corpus of `SKILL.md` files, with their outcome under each profile and the verdicts of other validators.

import { readFile } from 'node:fs/promises';
import type { SkillProfile } from '@skillful/core';

/** What a validator did with a file when it was measured. A list contains the rules that it reported. */
export type ValidatorVerdict = 'accepts' | 'refuses' | 'crash' | readonly string[];

/** One `SKILL.md` and its outcomes. */
export interface FormatCase {
  /** Stable id, which is never given to another file. */
  readonly id: string;
  readonly title: string;
  /** Name of the file's directory. */
  readonly directory: string;
  /** The bytes of the file as stored. */
  readonly bytes: Uint8Array;
  /** Under each profile: whether the skill is kept, and every diagnostic code, sorted. */
  readonly expected: Readonly<Record<SkillProfile, { readonly loads: boolean; readonly codes: readonly string[] }>>;
  /** The properties under every profile; `null` if the name or the description cannot be understood. */
  readonly reads: Readonly<Record<string, unknown>> | null;
  /** The verdicts of the validators by name. */
  readonly validators: Readonly<Record<string, ValidatorVerdict>>;
}

/** The corpus of the format. */
export interface FormatCorpus {
  /** The validators that were measured, each with its version and the meaning of its verdicts. */
  readonly validators: Readonly<Record<string, string>>;
  readonly cases: readonly FormatCase[];
}

interface StoredCase extends Omit<FormatCase, 'bytes'> {
  readonly text?: string;
  readonly base64?: string;
}

/** Reads the corpus of the format, which is part of this package. */
export async function readFormatCorpus(): Promise<FormatCorpus> {
  const stored = await readFile(new URL('../corpus/format.json', import.meta.url), 'utf8');
  const { validators, cases } = JSON.parse(stored) as Omit<FormatCorpus, 'cases'> & { cases: readonly StoredCase[] };
  return { validators, cases: cases.map(toCase) };
}

function toCase({ text = '', base64, ...entry }: StoredCase): FormatCase {
  const bytes = base64 === undefined ? new TextEncoder().encode(text) : Uint8Array.from(Buffer.from(base64, 'base64'));
  return { ...entry, bytes };
}
