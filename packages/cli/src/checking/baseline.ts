// Leaves out findings that were there before, so that a team with many skills can begin to check the new ones.

import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { hasErrors, SkillError } from '@skillful/core';
import { readUpTo } from '../loading/read-up-to.ts';
import { folderAt } from '../loading/skill-file.ts';
import type { CheckedSkill } from './check-file.ts';

/** How many findings each code has in each skill. */
type Counts = ReadonlyMap<string, number>;

/** A finding is known by the folder of its skill and by its code, because the path may be another one on each machine. */
function keyOf(location: string, code: string): string {
  // The report may have been written on Windows.
  return JSON.stringify([basename(folderAt(location.replaceAll('\\', '/'))), code]);
}

function countFindings(skills: readonly CheckedSkill[]): Counts {
  const keys = skills.flatMap(({ location, diagnostics }) => diagnostics.map(({ code }) => keyOf(location, code)));
  return new Map([...Map.groupBy(keys, (key) => key)].map(([key, { length }]) => [key, length]));
}

/** Bytes of the longest baseline. It may come from others, and be a link to a device without an end. */
const maxBytes = 64 * 1024 ** 2;

/**
 * Reads a baseline: what `validate --json` printed.
 *
 * @throws {SkillError} `source-failed` if it cannot be read, is too long, or is something else
 */
export async function readBaseline(path: string, given: string): Promise<Counts> {
  const invalid = (why: string, cause?: unknown) =>
    new SkillError('source-failed', `The baseline \`${given}\` ${why}. Create it with \`skillful validate --json\`.`, {
      cause,
    });
  const bytes = await readUpTo(maxBytes, createReadStream(path)).catch((cause: unknown) => {
    throw invalid('cannot be read', cause);
  });
  if (bytes.length > maxBytes) throw invalid('has more than 64 MiB');
  // In Windows PowerShell, `>` writes UTF-16.
  const text = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
  try {
    const { skills } = JSON.parse(text) as { readonly skills: readonly CheckedSkill[] };
    return countFindings(skills);
  } catch (cause) {
    throw invalid('is not a report', cause);
  }
}

/**
 * Leaves out the findings of a baseline. If a skill has more findings of one code than before, none of them are left out, because
 * nothing tells which ones are new.
 */
export function leaveOutKnown(skills: readonly CheckedSkill[], baseline: Counts): readonly CheckedSkill[] {
  const counts = countFindings(skills);
  return skills.map((skill) => {
    if (skill.isNothing === true) return skill;
    const diagnostics = skill.diagnostics.filter(({ code }) => {
      const key = keyOf(skill.location, code);
      return (counts.get(key) ?? 0) > (baseline.get(key) ?? 0);
    });
    const leftOut = skill.diagnostics.length - diagnostics.length;
    return { ...skill, diagnostics, leftOut, ok: !hasErrors(diagnostics) };
  });
}
