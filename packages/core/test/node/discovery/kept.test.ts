// What a catalog keeps of its skills does not grow when it is loaded again.

import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { fileSource } from '../../../src/node/discovery/file-source.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes in use, after code and tables that were only needed for a moment are gone. */
async function memoryInUse(): Promise<number> {
  for (let round = 0; round < 5; round += 1) {
    collect();
    await setTimeout(0);
  }
  return process.memoryUsage().heapUsed;
}

it('keeps no more after a reload', async () => {
  const root = await makeTemporaryDirectory();
  const names = Array.from({ length: 1_000 }, (_, index) => `a-skill-with-a-name-of-some-length-${index}`);
  await writeTree(root, Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillText(name)])));
  await setTimeout(60);
  const load = async () => {
    const sources = [fileSource(root)];
    const first = await loadCatalog(sources);
    const before = await memoryInUse();
    const second = await loadCatalog(sources, { previous: first });
    expect(second).toBe(first);
    return ((await memoryInUse()) - before) / names.length;
  };
  // What is compiled or made once, and whatever else happens meanwhile, only adds to a measurement.
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 8 && least >= 16; round += 1) least = Math.min(least, await load());

  expect(least).toBeLessThan(16);
});
