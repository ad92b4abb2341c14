// Writes new skills to disk so that a crash or a second process never leaves half a skill.

import { lstatSync, mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { SkillError } from '../../skill/error.ts';
import { checkKeys } from '../../skill/options.ts';
import { checkRootPath } from '../discovery/root.ts';
import { syncDirectory } from '../disk/directory.ts';
import { attempt, errnoOf } from '../disk/file-system.ts';
import { type HeldDirectory, openDirectory } from '../disk/held-directory.ts';
import { discardTemporary, removeLeftovers, temporaryPath } from '../disk/leftovers.ts';
import { moveDirectory, type ReplaceFileOptions, syncChange, writeFailed, writeNewFile } from '../disk/write.ts';
import { formatDraft, type SkillDraft } from './skill-draft.ts';

/** Where a skill was written. */
export interface WrittenSkill {
  readonly directory: string;
  readonly location: string;
}

/** New skills use the user's umask, like any file. */
const mode = 0o666;

export type WriteSkillOptions = Pick<ReplaceFileOptions, 'within'>;

/**
 * Writes a new skill below a root, completely or not at all. If several processes write the same skill, exactly one succeeds.
 *
 * @throws {SkillError} `options-invalid` if the root is empty or a `file:` URL, the draft breaks a rule of the specification or an
 * option is not valid, `skill-exists`, `write-failed`, `skill-protected` because of `within`
 */
export async function writeSkill(
  root: string,
  draft: SkillDraft,
  options: WriteSkillOptions = {},
): Promise<WrittenSkill> {
  checkKeys('options', options, ['within']);
  checkRootPath(root, 'the root');
  const text = formatDraft(draft);
  // As sources write it.
  const directory = resolve(root, draft.name);
  let held: HeldDirectory | undefined;
  let temporary: string | undefined;
  try {
    held = openDirectory(root, options.within);
    removeLeftovers(held.path);
    temporary = temporaryPath(join(held.path, draft.name), 'tmp');
    mkdirSync(temporary);
    writeInto(held.enter(basename(temporary)), text);
    held.check();
    if (!(await claimName(temporary, join(held.path, draft.name)))) {
      const message = `\`${draft.name}\` already exists at \`${directory}\`. Choose another name, or remove it first.`;
      throw new SkillError('skill-exists', message);
    }
    syncChange(held.path);
  } catch (error) {
    discardTemporary(temporary);
    throw writeFailed(error);
  } finally {
    held?.close();
  }
  return { directory, location: join(directory, 'SKILL.md') };
}

function writeInto(temporary: HeldDirectory, text: string): void {
  try {
    writeNewFile(join(temporary.path, 'SKILL.md'), text, { mode });
    syncDirectory(temporary.path);
  } finally {
    temporary.close();
  }
}

/** Error codes of a rename if the target exists. By the time it is checked, it may be gone again. */
const takenCodes: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/** Moves a directory to its final name; returns false if anything but an empty directory has that name. */
async function claimName(temporary: string, directory: string): Promise<boolean> {
  // Asked first, because Windows reports "not permitted", as it does while another program uses a file of the directory.
  if (isTaken(directory)) return false;
  // Windows does not replace an empty directory.
  if (process.platform === 'win32') attempt(() => rmdirSync(directory));
  try {
    await moveDirectory(temporary, directory);
    return true;
  } catch (error) {
    if (takenCodes.has(errnoOf(error)) || isTaken(directory)) return false;
    throw error;
  }
}

function isTaken(directory: string): boolean {
  try {
    const status = lstatSync(directory);
    return !status.isDirectory() || readdirSync(directory).length > 0;
  } catch (error) {
    errnoOf(error);
    return false;
  }
}
