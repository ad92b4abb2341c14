// Importing the core loads no part of Node that takes longer than the core itself and that most programs never need.

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('importing both entries and loading a catalog loads neither cryptography nor performance measurement', () => {
  const [index, node] = ['index', 'node/index'].map((entry) => new URL(`../../src/${entry}.ts`, import.meta.url).href);
  const program = `
    import { loadCatalog } from '${index}';
    import { fileSource } from '${node}';
    await loadCatalog([fileSource('.')]);
    console.log(JSON.stringify(process.moduleLoadList.filter((name) => /^NativeModule (?:crypto|perf_hooks)$/.test(name))));`;
  const given = ['--conditions=skillful-source', '--input-type=module', '--eval', program];
  expect(JSON.parse(execFileSync(process.execPath, given, { encoding: 'utf8' }))).toEqual([]);
});
