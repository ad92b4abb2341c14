// Folders outside the workspace that are gone when the tests of a file are over.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Makes an empty folder outside the workspace. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), 'skillful-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
