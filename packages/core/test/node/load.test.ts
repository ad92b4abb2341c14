import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog.ts';
import { fileSource } from '../../src/node/index.ts';
import { makeTemporaryDirectory, skillText, writeTree } from './temporary-directory.ts';

/** Skills per load; `SKILLFUL_LOAD=10000` for the long run. */
const load = Number(process.env.SKILLFUL_LOAD ?? 1000);

async function makeSkills(count: number): Promise<string> {
  const root = await makeTemporaryDirectory();
  for (let n = 0; n < count; n += 1)
    await writeTree(root, { [`s${n}/SKILL.md`]: skillText(`s${n}`, 'x'.repeat(3000)) });
  return root;
}

describe.runIf(process.platform === 'linux')('under load', { timeout: 120_000 }, () => {
  it('finds and reads every skill although only 48 files may be open', async () => {
    const root = await makeSkills(load);
    const program = fileURLToPath(new URL('./list-program.ts', import.meta.url));
    const command = `ulimit -n 48 && exec "$0" --conditions=skillful-source --disable-warning=ExperimentalWarning "$1" "$2"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, program, root]);
    expect(stdout).toBe(`${load} ${load}`);
  });

  it('reads many files at once and gives back every descriptor', async () => {
    const root = await makeSkills(10);
    const source = fileSource(root);
    const { entries } = await source.list();
    const before = readdirSync('/proc/self/fd').length;
    const reads = Array.from({ length: load * 10 }, (_, n) => {
      const entry = entries[n % entries.length];
      if (entry === undefined) throw new Error('Nothing was found.');
      return source.readFile(entry, 'SKILL.md');
    });
    const sizes = new Set((await Promise.all(reads)).map(({ length }) => length));
    expect(sizes).toEqual(new Set(entries.map(({ bytes }) => bytes)));
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });

  it('is not held up by a SKILL.md of a gibibyte', async () => {
    const root = await makeSkills(2);
    await writeTree(root, { 'huge/SKILL.md': skillText('huge') });
    await truncate(join(root, 'huge/SKILL.md'), 2 ** 30);
    const memory = process.memoryUsage().rss;
    const start = performance.now();
    const { entries } = await fileSource(root).list();
    expect(performance.now() - start).toBeLessThan(100);
    expect(process.memoryUsage().rss - memory).toBeLessThan(16 * 2 ** 20);
    expect(entries.map(({ bytes }) => bytes)).toContain(2 ** 30);
  });
});

it('finds the same skills whatever order the disk answers in, each source after the other', async () => {
  const root = await makeTemporaryDirectory();
  const names = Array.from({ length: 50 }, (_, n) => `s${(n * 37) % 50}`);
  for (const name of names)
    await writeTree(root, { [`one/${name}/SKILL.md`]: skillText(name), [`two/${name}/SKILL.md`]: skillText(name) });
  const { skills, shadowed } = await loadCatalog([
    fileSource(join(root, 'two'), { id: 'two' }),
    fileSource(join(root, 'one'), { id: 'one' }),
  ]);
  expect(skills.map(({ name, source }) => `${source.id} ${name}`)).toEqual(
    names.toSorted().map((name) => `two ${name}`),
  );
  expect(shadowed.map(({ skill }) => `${skill.source.id} ${skill.name}`)).toEqual(
    names.toSorted().map((name) => `one ${name}`),
  );
});
