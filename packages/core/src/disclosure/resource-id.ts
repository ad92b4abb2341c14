// Stands for files whose names a model can neither be shown nor repeat: an id that is short and can never be a path.

import { digestBytes } from '../runtime/digest.ts';
import { SkillError } from '../skill/error.ts';
import { checkResourcePath, isPathFor } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { SkillFile, SourceOptions } from '../skill/source.ts';
import { escapeField } from '../text/neutral.ts';

/** No path that a model may ask for has a colon. */
const form = /^id:[0-9a-f]{8,64}$/;

/** Digits of an id: the fewest that no other file of the skill begins with. */
const lengths = [8, 16, 64];

const encoder = new TextEncoder();
const none: ReadonlyMap<string, string> = new Map();

/** Recognises the id of a file, which is no path. */
export function isResourceId(text: string): boolean {
  return form.test(text);
}

/**
 * Gives ids, by path, to the listed files that nobody could ask for by what a model is shown of their names.
 *
 * An id is made of the path alone; files whose ids would begin alike all get longer ones.
 */
export async function identifyFiles(files: readonly SkillFile[]): Promise<ReadonlyMap<string, string>> {
  const paths = files.map(({ path }) => path).filter((path) => !canBeAskedFor(path));
  if (paths.length === 0) return none;
  const digests = await Promise.all(paths.map(digestPath));
  const counts = new Map<string, number>();
  for (const start of digests.flatMap((digest) => lengths.map((length) => digest.slice(0, length)))) {
    counts.set(start, (counts.get(start) ?? 0) + 1);
  }
  const idOf = (digest: string): string => {
    const length = lengths.find((candidate) => counts.get(digest.slice(0, candidate)) === 1);
    return `id:${digest.slice(0, length)}`;
  };
  return new Map(paths.map((path, index) => [path, idOf(digests[index] ?? '')]));
}

/** A name is shown as it is where escaping leaves it alone, and its path is taken where it is one of any platform. */
function canBeAskedFor(path: string): boolean {
  return escapeField(path) === path && isPathFor(checkResourcePath, path);
}

async function digestPath(path: string): Promise<string> {
  return (await digestBytes(encoder.encode(path))).slice('sha256:'.length);
}

/**
 * Finds the path that an id stands for. Lists the names of the skill's files, reads none.
 *
 * @throws {SkillError} `resource-unknown`
 */
export async function resolveResourceId(skill: Skill, id: string, options: SourceOptions): Promise<string> {
  const { files } = await skill.source.listFiles(skill, options);
  for (const [path, own] of await identifyFiles(files)) if (own === id) return path;
  throw new SkillError('resource-unknown', `No file of the skill has the id \`${id}\` now.`);
}
