// Creates directories, and makes changes in them survive a power cut.

import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errnoOf } from './file-system.ts';

/** Creates a directory and its missing parents so that they survive a power cut. */
export function makeDirectory(path: string, mode = 0o777): void {
  const directory = resolve(path);
  if (isDirectory(directory)) return;
  // One by one, because Node's `recursive` never ends below `/proc`, where nothing can be created.
  if (dirname(directory) !== directory) makeDirectory(dirname(directory), mode);
  try {
    mkdirSync(directory, { mode });
  } catch (error) {
    if (isDirectory(directory)) return;
    throw error;
  }
  syncDirectory(dirname(directory));
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Writes the names in a directory to the disk, if the system can do that for directories. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems cannot sync a directory.
    if (!['EINVAL', 'ENOTSUP'].includes(errnoOf(error))) throw error;
  } finally {
    closeSync(descriptor);
  }
}
