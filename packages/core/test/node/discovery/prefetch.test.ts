// Fetching ahead must be able to fail at everything without a word, and never be needed.

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPrefetch } from '../../../src/node/discovery/prefetch.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

/** Looks at directories as slowly as a disk would have it; gives the indices before which it was waited for a fetch. */
async function lookSlowly(count: number, pathAt: (index: number) => string): Promise<readonly number[]> {
  const fetched: number[] = [];
  const prefetch = createPrefetch(count, pathAt);
  for (let index = 0; index < count; index += 1) {
    const fetching = prefetch.before(index);
    if (fetching !== undefined) fetched.push(index);
    await fetching;
    const end = performance.now() + 0.2;
    while (performance.now() < end);
  }
  return fetched;
}

it.runIf(process.platform === 'linux')('fetches stretch by stretch where looking takes long', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'a/SKILL.md': skillText('a') });
  expect(await lookSlowly(600, () => join(root, 'a'))).toEqual([32, 288, 544]);
});

it.runIf(process.platform === 'linux')('passes over whatever cannot be fetched, and leaves nothing open', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    'a/SKILL.md': skillText('a'),
    'directory/SKILL.md/x': '',
    'link/SKILL.md': { link: '../a/SKILL.md' },
    through: { link: 'a' },
    'pipe/x': '',
  });
  execFileSync('mkfifo', [join(root, 'pipe/SKILL.md')]);
  const names = ['a', 'directory', 'link', 'through', 'pipe', 'nowhere'];
  const before = readdirSync('/proc/self/fd').length;
  const fetched = await lookSlowly(64, (index) => join(root, names[index % names.length] ?? ''));
  expect({ fetched, open: readdirSync('/proc/self/fd').length }).toEqual({ fetched: [32], open: before });
});
