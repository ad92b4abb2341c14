// Lists and reads the files of a skill for a model, and checks what the source returns, because anyone can write a source.

import { showText } from '../diagnostics/diagnostic.ts';
import { isBytes, isTextList, kindOf } from '../runtime/record.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { isSkillError, SkillError } from './error.ts';
import { maxResourceBytes } from './limits.ts';
import { assertSkill, checkCounts } from './options.ts';
import { findListed, isBelowAny, isPathFor, spellDirectories, tooLargeFile, unreadableFile } from './paths.ts';
import type { Skill } from './skill.ts';
import type { ListFilesOptions, ReadFileOptions, SkillFileListing } from './source.ts';

/** Throws for the path of a file that a model must not have. */
export type FileCheck = NonNullable<ListFilesOptions['checkPath']>;

/** Lists the bundled files of a skill, without those that a check refuses. Fails as `readFile` does. */
export async function listFiles(skill: Skill, options: ListFilesOptions): Promise<SkillFileListing> {
  const { signal, checkPath } = options;
  const failed = (cause: unknown) =>
    new SkillError('resource-unreadable', `The files of \`${showText(skill.name)}\` could not be listed.`, { cause });
  const list = async () => {
    assertSkill(skill);
    const given = await skill.source.listFiles(skill, { signal, checkPath });
    const { files, refused = [] } = Object(given);
    if (!Array.isArray(files)) throw new TypeError(`the source returned ${kindOf(given)}, expected a listing`);
    // A loop, because `every` skips holes.
    for (const file of files)
      if (!isFile(file)) throw new TypeError('the source listed a file without a path or a size');
    if (!isTextList(refused)) throw new TypeError('the source returned `refused` that is not a list of paths');
    return given;
  };
  const listing = await ask(list, failed, signal);
  if (checkPath === undefined) return listing;
  return { ...listing, files: listing.files.filter(({ path }) => isPathFor(checkPath, path)) };
}

/**
 * Reads one file of a skill. Rejects only with a `SkillError`, or with the signal's reason once it aborts.
 *
 * @throws {SkillError} `resource-outside-skill`, `resource-unknown`, `resource-too-large`, `resource-unreadable`;
 * `options-invalid` if a limit is not a whole number
 */
export function readFile(skill: Skill, path: string, options: ReadFileOptions): Promise<Uint8Array> {
  const read = async () => {
    assertSkill(skill);
    checkCounts({ maxBytes: options.maxBytes, length: options.length });
    const { maxBytes = maxResourceBytes, length } = options;
    const given = await readNamed(skill, path, options);
    if (!isBytes(given)) throw new TypeError(`the source returned ${kindOf(given)}, expected a Uint8Array`);
    if (length === undefined && given.length > maxBytes) throw tooLargeFile(path, given.length, maxBytes);
    // A copy, because the source may reuse the memory.
    return new Uint8Array(given.subarray(0, length));
  };
  return ask(read, (cause) => unreadableFile(path, cause), options.signal);
}

/** Reads a file, also if the source has its name composed in another way, or with other spaces. */
async function readNamed(skill: Skill, path: string, options: ReadFileOptions): Promise<Uint8Array> {
  const { signal, checkPath, directories } = options;
  const read = (spelled: string): Promise<Uint8Array> =>
    skill.source.readFile(skill, spelled, {
      ...options,
      directories: directories && spellDirectories(directories, spelled),
    });
  try {
    return await read(path);
  } catch (error) {
    const isUnknown = isSkillError(error) && error.code === 'resource-unknown';
    if (!isUnknown || !hasOtherForm.test(path)) throw error;
    const { files } = await listFiles(skill, { signal, checkPath });
    const paths = files.map((file) => file.path);
    const allowed = directories === undefined ? paths : paths.filter((each) => isBelowAny(each, directories));
    const other = findListed(path, allowed);
    if (other === undefined || other === path) throw error;
    return read(other);
  }
}

/** Matches what may be written in another way: a space, or a character that is not ASCII. */
const hasOtherForm = /[^!-~]/;

/** Checks the two fields that are shown to the model. */
function isFile(file: unknown): boolean {
  const { path, bytes } = Object(file);
  return typeof path === 'string' && typeof bytes === 'number';
}

async function ask<T>(
  call: () => Promise<T>,
  failed: (cause: unknown) => SkillError,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await untilAborted(call(), signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw isSkillError(error) ? error : failed(error);
  }
}
