import { execFile } from 'node:child_process';
import { type Dir, Dirent, readdirSync, readFileSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { activateSkill } from '../../src/disclosure/activate.ts';
import { renderCatalog } from '../../src/disclosure/catalog-text.ts';
import { planCatalog } from '../../src/disclosure/plan.ts';
import { createFileSource } from '../../src/node/discovery/file-source.ts';
import { type FileSystem, nodeFileSystem } from '../../src/node/disk/file-system.ts';
import { fileSource, processRunner, setSkillEnabled } from '../../src/node/index.ts';
import { loadScriptPlan, type ScriptResult } from '../../src/scripts/plan.ts';
import { cacheSource } from '../../src/sources/cache.ts';
import { filterSource } from '../../src/sources/filter.ts';
import { makeTemporaryDirectory, skillText, writeTree } from './temporary-directory.ts';

/** Skills per load; `SKILLFUL_LOAD=10000` for the long run. What each load takes is measured in `bench/discovery`. */
const load = Number(process.env.SKILLFUL_LOAD ?? 1000);

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes of memory in use after a garbage collection. */
function heap(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function makeSkills(count: number): Promise<string> {
  const root = await makeTemporaryDirectory();
  for (let n = 0; n < count; n += 1)
    await writeTree(root, { [`s${n}/SKILL.md`]: skillText(`s${n}`, 'x'.repeat(3000)) });
  return root;
}

describe.runIf(process.platform === 'linux')('under load', { timeout: 120_000 }, () => {
  it.each(['', 'exhausted'])(
    'X05: finds and reads every skill although only 48 files may be open %s',
    async (state) => {
      const count = load / 5;
      const root = await makeSkills(count);
      const program = fileURLToPath(new URL('./discovery/list-program.ts', import.meta.url));
      const command = `ulimit -n 48 && exec "$0" --conditions=skillful-source --disable-warning=ExperimentalWarning "$1" "$2" "$3"`;
      const { stdout } = await promisify(execFile)('sh', ['-c', command, process.execPath, program, root, state]);
      expect(stdout).toBe(`${count} ${count}`);
    },
  );

  it('L03: reads many files at once and closes every descriptor', async () => {
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

  it('L09: hundreds of runs of scripts, four at a time, leave no process and no descriptor', {
    timeout: 120_000,
  }, async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'x/SKILL.md': skillText('x'), 'x/scripts/run.sh': 'cat\n' });
    const { skills } = await loadCatalog([fileSource(root)]);
    const [skill] = skills;
    if (skill === undefined) throw new Error('Nothing was found.');
    const plan = await loadScriptPlan(skill, { path: 'scripts/run.sh', input: 'read' });
    const runner = processRunner();
    const before = readdirSync('/proc/self/fd').length;
    const runs = load / 4;
    let begun = 0;
    const lane = async (): Promise<ScriptResult[]> => {
      const results: ScriptResult[] = [];
      while (begun++ < runs) results.push(await runner.run(plan));
      return results;
    };
    const results = await Promise.all([lane(), lane(), lane(), lane()]);
    // Whole results, which say why a run has no output.
    const result = { exitCode: 0, output: 'read', errors: '', truncated: false, timedOut: false };
    expect(results.flat()).toEqual(Array.from({ length: runs }, () => result));
    expect(readdirSync('/proc/self/fd').length).toBe(before);
    expect(readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')).toBe('');
  });

  it('B06, L04: does not read a SKILL.md of a gibibyte into memory', async () => {
    const root = await makeSkills(2);
    await writeTree(root, { 'huge/SKILL.md': skillText('huge') });
    await truncate(join(root, 'huge/SKILL.md'), 2 ** 30);
    const memory = process.memoryUsage().rss;
    const { entries } = await fileSource(root).list();
    expect(process.memoryUsage().rss - memory).toBeLessThan(16 * 2 ** 20);
    expect(entries.map(({ bytes }) => bytes)).toContain(2 ** 30);
  });
});

describe('at any size', () => {
  it('L01, L02: a skill takes little memory, and a reload without changes takes no more', async () => {
    const root = await makeSkills(load);
    const sources = [fileSource(root)];
    await loadCatalog(sources);
    await setTimeout(60);
    const before = heap();
    const catalog = await loadCatalog(sources);
    expect(catalog.skills).toHaveLength(load);
    // The files have 3 KB each; less is kept of a skill, including all that finds it again.
    expect((heap() - before) / load).toBeLessThan(3000);
    const loaded = heap();
    // Five listings would take more than a kilobyte a skill; the heap itself varies by some hundred bytes.
    for (let round = 0; round < 5; round += 1) expect(await loadCatalog(sources, { previous: catalog })).toBe(catalog);
    expect((heap() - loaded) / load).toBeLessThan(500);
    expect(catalog.skills).toHaveLength(load);
  });

  it('L05: of a million entries, it reads as many as the limits allow, and reports that the rest is left out', async () => {
    const root = await makeSkills(3);
    const source = createFileSource(withMillionEntries(root), root, {});
    const before = heap();
    const { entries, diagnostics } = await source.list();
    expect([entries.length, diagnostics.map(({ code }) => code)]).toEqual([3, ['scan-truncated']]);
    const skill = entries[0];
    if (skill === undefined) throw new Error('Nothing was found.');
    const { files, truncated } = await createFileSource(withMillionEntries(skill.directory), root, {}).listFiles(skill);
    expect([files.length <= 2000, truncated]).toEqual([true, true]);
    expect(heap() - before).toBeLessThan(4 * 2 ** 20);
    expect(entries).toHaveLength(3);
  });

  it('L06: the text of a catalog stays within its budget, and every skill that it leaves out has a reason', async () => {
    const catalog = await loadCatalog([fileSource(await makeSkills(load))]);
    const plan = planCatalog(catalog, { budget: { tokens: 1000 } });
    const text = renderCatalog(plan);
    const left = plan.skills.filter(({ showing }) => showing === 'deferred');
    expect([plan.tokens <= 1000, text.length <= 4000, plan.skills.length]).toEqual([true, true, load]);
    expect(left.length).toBeGreaterThan(0);
    expect(plan.skills.filter(({ showing, cut }) => showing !== 'full' && cut === undefined)).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('in long use', { timeout: 120_000 }, () => {
  it('L08: neither memory nor descriptors grow with edits, loads, activations, reads and switches', async () => {
    const root = await makeSkills(20);
    const home = await makeTemporaryDirectory();
    const sources = [
      cacheSource(
        filterSource(fileSource(root), () => true),
        { maxAge: 0 },
      ),
    ];
    const options = { home, environment: {} };
    let catalog = await loadCatalog(sources);
    async function use(rounds: number): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        await writeTree(root, { [`s${round % 20}/SKILL.md`]: skillText(`s${round % 20}`, `Round ${round}.`) });
        catalog = await loadCatalog(sources, { previous: catalog });
        await Promise.all(catalog.skills.map((skill) => activateSkill(skill)));
        if (round % 10 === 0) await setSkillEnabled(`user:s${round % 20}`, round % 20 === 0, options);
      }
    }
    const sizes = async (): Promise<readonly [heap: number, descriptors: number]> => {
      await setTimeout(20);
      return [heap(), readdirSync('/proc/self/fd').length];
    };
    await use(load / 10);
    const [before, descriptors] = await sizes();
    await use(load / 4);
    const [middle] = await sizes();
    await use(load / 4);
    const [after, left] = await sizes();
    // 5,000 activations and 250 catalogs each time; a leak of one head in each catalog would be 4 MB. What Node keeps once is no leak.
    expect(Math.min(middle - before, after - middle) / load).toBeLessThan(2000);
    expect(left).toBe(descriptors);
  });
});

/** The real file system, with a million more files in one directory. */
function withMillionEntries(crowded: string): FileSystem {
  const file = { isDirectory: () => false, isSymbolicLink: () => false, isFile: () => true };
  let given = 0;
  return {
    ...nodeFileSystem,
    openDirectory: (path) => {
      const directory = nodeFileSystem.openDirectory(path);
      if (nodeFileSystem.realpath(path) !== crowded) return directory;
      const readSync = (): Dirent | null => {
        const entry = directory.readSync();
        if (entry !== null || given === 1_000_000) return entry;
        given += 1;
        return Object.assign(Object.create(Dirent.prototype) as Dirent, file, { name: `f${given}` });
      };
      return Object.assign(Object.create(directory) as Dir, { readSync, closeSync: () => directory.closeSync() });
    },
  };
}

it('finds the same skills in the same order, one source after the other', async () => {
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
