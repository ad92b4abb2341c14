// Reads the part of the instructions that an index can use: the headings and the beginning.

import { parseBody } from '../format/parse.ts';
import { createQueue } from '../runtime/queue.ts';
import { readFile } from '../skill/files.ts';
import { maxSkillBytes } from '../skill/limits.ts';
import { assertSkills } from '../skill/options.ts';
import type { Skill } from '../skill/skill.ts';
import type { SourceOptions } from '../skill/source.ts';
import { firstHeadings } from '../text/outline.ts';

export interface ReadBodiesOptions extends SourceOptions {
  /** The result of an earlier call: skills that a reload left unchanged are not read again. */
  readonly known?: ReadonlyMap<Skill, string> | undefined;
}

/** Characters of the beginning to keep, and how many of the headings after it. */
const beginning = 2_000;
const mostHeadings = 100;

/**
 * Reads the headings and the first 2,000 characters of the instructions of all skills, as `bodies` of `createSkillIndex`. Costs
 * one read of each whole `SKILL.md`. Skills that cannot be read are left out; activating one reports the reason.
 *
 * @throws {SkillError} `options-invalid` if `skills` is not a list
 */
export async function readBodies(
  skills: readonly Skill[],
  { known, signal }: ReadBodiesOptions = {},
): Promise<ReadonlyMap<Skill, string>> {
  assertSkills(skills);
  const queue = createQueue();
  const texts = await Promise.all(
    skills.map(async (skill) => known?.get(skill) ?? queue(() => read(skill, signal), signal)),
  );
  const bodies = skills.flatMap((skill, index) => {
    const text = texts[index];
    return text === undefined ? [] : [[skill, text] as const];
  });
  return new Map(bodies);
}

async function read(skill: Skill, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    const bytes = await readFile(skill, 'SKILL.md', { maxBytes: maxSkillBytes, signal });
    const { body } = parseBody(bytes);
    const headings = firstHeadings(body.slice(beginning), mostHeadings);
    return [...headings.map(({ title }) => title), body.slice(0, beginning)].join('\n');
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}
