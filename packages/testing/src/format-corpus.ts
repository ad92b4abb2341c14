// The corpus for any test: SKILL.md files with their outcome under each profile and the verdicts of other validators.

import { readFile } from 'node:fs/promises';
import type { SkillProfile } from '@skillful/core';

/** What a validator was measured to do with a file: the labels are those of the rules that it reported. */
export type ValidatorVerdict = 'accepts' | 'refuses' | 'crash' | readonly string[];

/** One `SKILL.md` and its outcomes. */
export interface FormatCase {
  /** Stable: never given to another file. */
  readonly id: string;
  readonly title: string;
  /** Name of the file's directory. */
  readonly directory: string;
  /** The file as it is stored. */
  readonly bytes: Uint8Array;
  /** Under each profile: whether the skill is kept, and every diagnostic code, sorted. */
  readonly expected: Readonly<Record<SkillProfile, { readonly loads: boolean; readonly codes: readonly string[] }>>;
  /** Properties under every profile; `null` if name or description cannot be understood. */
  readonly reads: Readonly<Record<string, unknown>> | null;
  /** The verdicts of the validators by their names. */
  readonly validators: Readonly<Record<string, ValidatorVerdict>>;
}

/** The corpus of the format. */
export interface FormatCorpus {
  /** The validators that were measured, each with its version and how its verdicts read. */
  readonly validators: Readonly<Record<string, string>>;
  readonly cases: readonly FormatCase[];
}

interface StoredCase extends Omit<FormatCase, 'bytes'> {
  readonly text?: string;
  readonly base64?: string;
}

/** Reads the corpus of the format, which is a file of this package. */
export async function readFormatCorpus(): Promise<FormatCorpus> {
  const stored = await readFile(new URL('../corpus/format.json', import.meta.url), 'utf8');
  const { validators, cases } = JSON.parse(stored) as Omit<FormatCorpus, 'cases'> & { cases: readonly StoredCase[] };
  return { validators, cases: cases.map(toCase) };
}

function toCase({ text = '', base64, ...entry }: StoredCase): FormatCase {
  const bytes = base64 === undefined ? new TextEncoder().encode(text) : Uint8Array.from(Buffer.from(base64, 'base64'));
  return { ...entry, bytes };
}
