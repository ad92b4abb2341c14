// Lists and reads the files of a skill for a model, whatever its source leaves out, does, or says about its own failures.

import { showText } from '../diagnostics/diagnostic.ts';
import { isBytes } from '../runtime/record.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { isSkillError, SkillError } from './error.ts';
import { checkCounts } from './number-options.ts';
import { isPathFor, unreadableFile } from './paths.ts';
import type { Skill } from './skill.ts';
import type { ListFilesOptions, ReadFileOptions, SkillFileListing } from './source.ts';

/** Throws for the path of a file that a model must not have. */
export type FileCheck = NonNullable<ListFilesOptions['checkPath']>;

/** Lists the bundled files of a skill, without those that a check refuses. Fails as `readFile` does. */
export async function listFiles(skill: Skill, options: ListFilesOptions): Promise<SkillFileListing> {
  const { signal, checkPath } = options;
  const asked = { signal, ...(checkPath === undefined ? {} : { checkPath }) };
  const failed = (cause: unknown) =>
    new SkillError('resource-unreadable', `The files of \`${showText(skill.name)}\` could not be listed.`, { cause });
  const list = async () => {
    const given = await skill.source.listFiles(skill, asked);
    if (Array.isArray(Object(given).files)) return given;
    throw new TypeError(`the source returned a value of type ${typeof given}, expected a listing`);
  };
  const listing = await ask(list, failed, signal);
  if (checkPath === undefined) return listing;
  return { ...listing, files: listing.files.filter(({ path }) => isPathFor(checkPath, path)) };
}

/**
 * Reads one file of a skill. Whatever the source does, rejects with a `SkillError`, or with the signal's reason once it aborts.
 *
 * @throws {SkillError} `resource-outside-skill`, `resource-unknown`, `resource-too-large`, `resource-unreadable`;
 * `options-invalid` if a limit is not a whole number
 */
export function readFile(skill: Skill, path: string, options: ReadFileOptions): Promise<Uint8Array> {
  const read = async () => {
    checkCounts({ maxBytes: options.maxBytes, length: options.length });
    const given = await skill.source.readFile(skill, path, options);
    if (isBytes(given)) return given;
    throw new TypeError(`the source returned a value of type ${typeof given}, expected a Uint8Array`);
  };
  return ask(read, (cause) => unreadableFile(path, cause), options.signal);
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
