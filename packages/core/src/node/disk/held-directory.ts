// Holds a directory open during a write, so that the write lands there even if a link replaces the directory.

import { closeSync, constants, mkdirSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SkillError } from '../../skill/error.ts';
import { invalidOption } from '../../skill/options.ts';
import { isAtOrBelow, pathOf } from './contained-file.ts';
import { makeDirectory, syncDirectory } from './directory.ts';
import { errnoOf, inodeOf, nodeFileSystem, orElse } from './file-system.ts';

/** A directory to write into. */
export interface HeldDirectory {
  /** The path through which its files are accessed. */
  readonly path: string;
  /** Opens a child that is not a link. */
  enter(name: string): HeldDirectory;
  /** Checks that the directory was not replaced. Needed only if the kernel cannot be asked. */
  check(): void;
  close(): void;
}

const flags: number = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens a directory, and creates it if it is missing. If `within` is given, a path without links, the directory is proven to be
 * inside it. Otherwise links are followed, and nothing is held.
 *
 * @throws {SkillError} `skill-protected` if a link, even a broken one, leads out of `within`; `options-invalid` if it is empty
 */
export function openDirectory(path: string, within: string | undefined): HeldDirectory {
  if (within !== undefined) return holdDirectory(resolve(path), resolveWithin(within));
  makeDirectory(path);
  return notHeld(path);
}

/**
 * Returns the absolute path of the directory that a file must not leave.
 *
 * @throws {SkillError} `options-invalid` if it is empty, because an empty variable would then confine nothing
 */
export function resolveWithin(within: string): string {
  if (within === '') throw invalidOption('The path `within` is empty.');
  return spellOnDisk(resolve(within));
}

/**
 * Returns an absolute path as the disk spells it, unless a part of it is a link. Another spelling is no link: macOS and Windows
 * ignore letter case, and Windows has short names (`RUNNER~1`) and letters for network drives.
 */
export function spellOnDisk(path: string): string {
  // Linux has one spelling, and its answer could come from a link that has just appeared.
  if (process.platform === 'linux') return path;
  return orElse(path, () => (realpathSync(path) === path ? nodeFileSystem.realpath(path) : path));
}

function notHeld(path: string): HeldDirectory {
  return { path, enter: (name) => notHeld(join(path, name)), check: () => undefined, close: () => undefined };
}

function holdDirectory(path: string, within: string): HeldDirectory {
  // A broken link counts as missing, too. Later steps neither replace it nor follow it.
  const missing: string[] = [];
  let existing = path;
  // Even the top may be missing, such as a drive of Windows that was unplugged.
  while (!nodeFileSystem.exists(existing) && dirname(existing) !== existing) {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  const real = nodeFileSystem.realpath(existing);
  if (!isAtOrBelow(within, real)) throw leadsOut(path, within);
  let held = hold(real, real, path, within);
  try {
    for (const name of missing) {
      makeChild(held, name);
      const child = held.enter(name);
      held.close();
      held = child;
    }
    return held;
  } catch (error) {
    held.close();
    throw error;
  }
}

/** Opens the directory at `access`, and proves that it is the directory at `real`, a path without links. */
function hold(access: string, real: string, path: string, within: string): HeldDirectory {
  const descriptor = openOrRefuse(access, path, within);
  const close = (): void => closeSync(descriptor);
  const inode = inodeOf(nodeFileSystem, nodeFileSystem.fstat(descriptor), descriptor);
  const opened = pathOf(nodeFileSystem, descriptor);
  const check = (): void => {
    if (opened !== undefined) return;
    const now = inodeOf(nodeFileSystem, nodeFileSystem.lstat(real), real);
    if (nodeFileSystem.realpath(real) !== real || now !== inode) throw leadsOut(path, within);
  };
  try {
    if (opened !== undefined && opened !== real) throw leadsOut(path, within);
    check();
  } catch (error) {
    close();
    throw error;
  }
  const ownPath = opened === undefined ? real : `/proc/self/fd/${descriptor}`;
  return {
    path: ownPath,
    enter: (name) => hold(join(ownPath, name), join(real, name), path, within),
    check,
    close,
  };
}

function openOrRefuse(access: string, path: string, within: string): number {
  try {
    return openSync(access, flags);
  } catch (error) {
    if (['ELOOP', 'ENOTDIR', 'ENOENT'].includes(errnoOf(error))) throw leadsOut(path, within);
    throw error;
  }
}

function makeChild(parent: HeldDirectory, name: string): void {
  try {
    mkdirSync(join(parent.path, name));
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
  syncDirectory(parent.path);
}

function leadsOut(path: string, within: string): SkillError {
  return new SkillError(
    'skill-protected',
    `\`${path}\` leads out of \`${within}\` through a link, so nothing was written. Remove the link, or work where it leads to.`,
  );
}
