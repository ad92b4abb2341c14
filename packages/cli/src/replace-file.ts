// Replaces a file so that whoever reads it finds the old content or the new one, never a part.

import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SkillError } from '@skillful/core';
import { reasonOf } from './system-reason.ts';

/**
 * Replaces a file, keeping its permissions; of a link, the file that it leads to.
 *
 * @throws {SkillError} `write-failed`, with the old content intact
 */
export function replaceFile(path: string, text: string): void {
  let temporary: string | undefined;
  try {
    const real = realpathSync(path);
    const { mode } = statSync(real);
    temporary = join(dirname(real), `.${basename(real)}.${process.pid}.tmp`);
    const descriptor = openSync(temporary, 'wx', mode & 0o777);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, real);
  } catch (cause) {
    if (temporary !== undefined) rmSync(temporary, { force: true });
    const message = `\`${path}\` cannot be written: ${reasonOf(cause)}. It is unchanged.`;
    throw new SkillError('write-failed', message, { cause });
  }
}
