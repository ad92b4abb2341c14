// Reads all files of a skill at once, so that what a person agreed to, or what runs, is named by one digest.

import { digestBytes } from '../runtime/digest.ts';
import { SkillError } from '../skill/error.ts';
import { checkListedPath } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { SourceOptions } from '../skill/source.ts';

/** All files of a skill as they were at one moment. */
export interface SkillContents {
  /** By path, `SKILL.md` included. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** `sha256:` and 64 hexadecimal digits of each file, by path. */
  readonly digests: Readonly<Record<string, string>>;
  /** `sha256:` and 64 hexadecimal digits: changes whenever any file of the skill does. */
  readonly digest: string;
}

const maxBytes = 32 * 1024 * 1024;

/**
 * Reads all files of a skill, 32 MiB at most.
 *
 * @throws {SkillError} `resource-too-large`, `resource-unreadable`, `resource-outside-skill`, `skill-unreadable`
 */
export async function readContents(skill: Skill, { signal }: SourceOptions = {}): Promise<SkillContents> {
  const { files: listed, truncated } = await skill.source.listFiles(skill, { signal });
  const bytes = listed.reduce((sum, file) => sum + file.bytes, 0);
  if (truncated || bytes > maxBytes) {
    throw new SkillError(
      'resource-too-large',
      `The files of \`${skill.name}\` are too many or too large to check them.`,
    );
  }
  const files = new Map<string, Uint8Array>();
  const digests: [string, string][] = [];
  let room = maxBytes;
  for (const path of ['SKILL.md', ...listed.map((file) => file.path)]) {
    // Whatever a source lists: a runner writes a file by this path.
    checkListedPath(path);
    const content = await skill.source.readFile(skill, path, { signal, maxBytes: room, fromListing: true });
    room -= content.length;
    files.set(path, content);
    digests.push([path, await digestBytes(content)]);
  }
  digests.sort(([one], [other]) => (one < other ? -1 : 1));
  // Names cannot be confused with digests, because both are in JSON.
  const digest = await digestBytes(new TextEncoder().encode(JSON.stringify(digests)));
  return { files, digests: Object.fromEntries(digests), digest };
}
