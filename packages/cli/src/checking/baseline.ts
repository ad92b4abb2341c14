// Leaves out findings that were there before, so that a team with many skills can begin to check the new ones.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { hasErrors, SkillError } from '@skillful/core';
import { folderAt } from '../loading/skill-file.ts';
import type { CheckedSkill } from './check-file.ts';

/** How many findings each code has in each skill. */
type Counts = ReadonlyMap<string, number>;

/** A finding is known by the folder of its skill and by its code, because the path may be another one on each machine. */
function keyOf(location: string, code: string): string {
  return JSON.stringify([basename(folderAt(location)), code]);
}

function countFindings(skills: readonly CheckedSkill[]): Counts {
  const keys = skills.flatMap(({ location, diagnostics }) => diagnostics.map(({ code }) => keyOf(location, code)));
  return new Map([...Map.groupBy(keys, (key) => key)].map(([key, { length }]) => [key, length]));
}

/**
 * Reads a baseline: what `validate --json` printed.
 *
 * @throws {SkillError} `source-failed` if it cannot be read, or is something else
 */
export function readBaseline(path: string, given: string): Counts {
  const invalid = (why: string, cause?: unknown) =>
    new SkillError('source-failed', `The baseline \`${given}\` ${why}. Create it with \`skillful validate --json\`.`, {
      cause,
    });
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw invalid('cannot be read', cause);
  }
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
