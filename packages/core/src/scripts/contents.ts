// Reads all files of a skill at once, so that one digest identifies what a person agreed to and what runs.

import { showText } from '../diagnostics/diagnostic.ts';
import { digestBytes } from '../runtime/digest.ts';
import { SkillError } from '../skill/error.ts';
import { listFiles, readFile } from '../skill/files.ts';
import { checkListedPath, findListed, unknownFile } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { SkillFile, SourceOptions } from '../skill/source.ts';

/** All files of a skill at one moment. */
export interface SkillContents {
  /** By path, `SKILL.md` included. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** `sha256:` and 64 hexadecimal digits of each file, by path. */
  readonly digests: Readonly<Record<string, string>>;
  /** `sha256:` and 64 hexadecimal digits: changes whenever any file of the skill does. */
  readonly digest: string;
}

const maxBytes = 32 * 1024 * 1024;

/** Files of a skill; the sources of this package list fewer. */
const maxFiles = 10_000;

/**
 * Reads all files of a skill, at most 10,000 files and 32 MiB. Checks the listing, because anyone can write a source.
 *
 * @throws {SkillError} `resource-too-large`, `resource-outside-skill`, `resource-unreadable`, `skill-unreadable`
 */
export async function readContents(skill: Skill, { signal }: SourceOptions = {}): Promise<SkillContents> {
  const { files: listed, truncated } = await listFiles(skill, { signal });
  const bytes = listed.reduce((sum, file) => sum + file.bytes, 0);
  if (truncated || listed.length > maxFiles || bytes > maxBytes) {
    const message = `The files of \`${skill.name}\` are too many or too large to be checked.`;
    throw new SkillError('resource-too-large', message);
  }
  const paths = checkListing(skill, listed);
  const files = new Map<string, Uint8Array>();
  const digests: [string, string][] = [];
  let room = maxBytes;
  for (const path of paths) {
    const content = await readFile(skill, path, { signal, maxBytes: room, fromListing: true });
    room -= content.length;
    files.set(path, content);
    digests.push([path, await digestBytes(content)]);
  }
  digests.sort(([one], [other]) => (one < other ? -1 : 1));
  // As JSON, so that a file name cannot imitate a digest.
  const digest = await digestBytes(new TextEncoder().encode(JSON.stringify(digests)));
  return { files, digests: Object.fromEntries(digests), digest };
}

/** Returns the digest of the file at a path. Throws if it is not among the files, as those of a skill inside this one are not. */
export function digestOfFile({ digests }: SkillContents, path: string): string {
  const digest = digests[findListed(path, Object.keys(digests)) ?? path];
  if (digest === undefined) throw unknownFile(path);
  return digest;
}

/**
 * Returns the paths of all files. Throws if one leaves the skill or is listed twice, because a runner writes files to these
 * paths.
 */
function checkListing({ name }: Skill, listed: readonly SkillFile[]): ReadonlySet<string> {
  const paths = new Set(['SKILL.md']);
  for (const { path } of listed) {
    checkListedPath(path);
    if (paths.has(path)) {
      throw new SkillError('resource-unreadable', `The source of \`${name}\` lists \`${showText(path)}\` twice.`);
    }
    paths.add(path);
  }
  return paths;
}
