// Reads what an index can know of the instructions of skills: their headings, and how they begin.

import { parseBody } from '../format/parse.ts';
import { maxSkillBytes } from '../skill/limits.ts';
import type { Skill } from '../skill/skill.ts';
import { readHeadings } from '../text/outline.ts';

export interface ReadBodiesOptions {
  /** What was read before: skills that a reload has left as they were are not read again. */
  readonly known?: ReadonlyMap<Skill, string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Characters of the beginning, and headings, that are kept. */
const beginning = 2_000;
const mostHeadings = 100;

/** Files that are read at once. */
const readAtOnce = 16;

/**
 * Reads the headings and the first 2,000 characters of the instructions of all skills, as `bodies` of `createSkillIndex`. Costs
 * one read of each whole `SKILL.md`. Skills that cannot be read are left out; activating them says why.
 */
export async function readBodies(
  skills: readonly Skill[],
  { known, signal }: ReadBodiesOptions = {},
): Promise<ReadonlyMap<Skill, string>> {
  const bodies = new Map<Skill, string>();
  for (let start = 0; start < skills.length; start += readAtOnce) {
    const some = skills.slice(start, start + readAtOnce);
    const texts = await Promise.all(some.map(async (skill) => known?.get(skill) ?? read(skill, signal)));
    some.forEach((skill, at) => {
      const text = texts[at];
      if (text !== undefined) bodies.set(skill, text);
    });
  }
  return bodies;
}

async function read(skill: Skill, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    const bytes = await skill.source.readFile(skill, 'SKILL.md', { maxBytes: maxSkillBytes, signal });
    const { body } = parseBody(bytes);
    return [...headingsOf(body), body.slice(0, beginning)].join('\n');
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** Returns the headings behind the beginning, which contains the others. */
function headingsOf(body: string): readonly string[] {
  const titles: string[] = [];
  const reader = readHeadings(body.slice(beginning));
  for (let next = reader.next(); next !== undefined && titles.length < mostHeadings; next = reader.next()) {
    if (next !== 'later') titles.push(next.title);
  }
  return titles;
}
