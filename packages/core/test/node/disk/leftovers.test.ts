import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isLeftover, removeLeftovers, temporaryPath } from '../../../src/node/disk/leftovers.ts';
import { makeTemporaryDirectory, writeTree } from '../temporary-directory.ts';

it.each([
  [temporaryPath('SKILL.md', 'tmp'), true],
  [temporaryPath('pdf', 'trash'), true],
  ['.settings.json.0123456789ab.broken', true],
  ['.settings.json.0123456789abc.tmp', false],
  ['.settings.json.0123456789a.tmp', false],
  ['settings.json.0123456789ab.tmp', false],
  ['.0123456789ab.tmp', false],
])('knows whether %s was left behind by a write: %s', (name, isLeft) => {
  expect(isLeftover(name)).toBe(isLeft);
});

it('removes what is an hour old, also by a clock that was set back, and keeps what a person may want to see', async () => {
  const root = await makeTemporaryDirectory();
  const leftover = (name: string, hours: number, end: string): string => {
    return `.${name}.${String(hours).padStart(12, '0').replace('-', 'b')}.${end}`;
  };
  const old = [leftover('a', 2, 'tmp'), leftover('b', -2, 'tmp'), leftover('c', 2, 'trash')];
  const kept = [leftover('d', 0, 'tmp'), leftover('e', 2, 'broken'), 'SKILL.md'];
  const tree = [...old, ...kept].map((name) => [name.endsWith('.trash') ? `${name}/SKILL.md` : name, 'x']);
  await writeTree(root, Object.fromEntries(tree));
  for (const name of readdirSync(root)) {
    const hours = name.includes('b2') ? -2 : name.includes('002') || name === 'SKILL.md' ? 2 : 0;
    const time = Date.now() / 1000 - hours * 3600;
    utimesSync(join(root, name), time, time);
  }
  removeLeftovers(root);
  expect(readdirSync(root).sort()).toEqual(kept.sort());
  expect(() => removeLeftovers(join(root, 'missing'))).not.toThrow();
});
