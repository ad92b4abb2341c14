// Makes folders outside the workspace that are deleted after the tests of a file.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const parent = mkdtempSync(join(realpathSync(tmpdir()), 'skillful-workspace-'));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Makes an empty folder outside the workspace. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(parent, 'folder-'));
}
