// Puts every heavy load on the core as it stands in this repository, each in a process of its own, and prints what it took
// beside what it may take: `node load-suite.ts`, or `node load-suite.ts 0.1` for a tenth of the size, with L01 L05 for some.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Skill } from '../../packages/core/src/index.ts';
import { prepareLongLoad, runLongLoad } from './long-load.ts';
import { writeTree } from './trees.ts';
import { core, node } from './workspace.ts';

/** One measured quantity and its bound: times in milliseconds, memory in megabytes, the rest in counts. */
interface Measured {
  readonly what: string;
  readonly value: number;
  readonly most: number;
}

interface Load {
  readonly title: (scale: number) => string;
  /** Puts something on the disk, in another process than the one that is measured. */
  readonly prepare: (base: string, scale: number) => void;
  readonly run: (base: string, scale: number) => Promise<readonly Measured[]>;
  /** Files that may be open at once. */
  readonly descriptors?: number;
}

const now = (): number => performance.now();
const openDescriptors = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
const count = (full: number, scale: number): number => Math.max(1, Math.round(full * scale));
const shown = (full: number, scale: number): string => count(full, scale).toLocaleString('en');

async function heap(): Promise<number> {
  for (let round = 0; round < 10; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

const memory = (): number => process.memoryUsage().rss / 1e6;

/** Runs some work beside a timer of a millisecond; gives its time, and how long the event loop was held at the 99th of 100 and at most. */
async function watch<T>(work: () => Promise<T>): Promise<{ result: T; time: number; p99: number; longest: number }> {
  const gaps: number[] = [];
  let last = now();
  const timer = setInterval(() => {
    gaps.push(now() - last - 1);
    last = now();
  }, 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  gaps.length = 0;
  const start = now();
  const result = await work();
  const time = now() - start;
  await new Promise((resolve) => setTimeout(resolve, 5));
  clearInterval(timer);
  gaps.sort((a, b) => a - b);
  return { result, time, p99: gaps[Math.floor(gaps.length * 0.99)] ?? 0, longest: gaps.at(-1) ?? 0 };
}

const skills = (base: string): string => join(base, 'skills');

function prepareTree(full: number): Load['prepare'] {
  return (base, scale) => {
    mkdirSync(skills(base));
    writeTree(skills(base), count(full, scale));
  };
}

const missing = (wanted: number, found: number): Measured => ({ what: 'missing', value: wanted - found, most: 0 });
const leak = (before: number): Measured => ({ what: 'descriptors left', value: openDescriptors() - before, most: 0 });

/** Activates every skill, so many at a time; gives the number of errors. */
async function activateInLanes(found: readonly Skill[], lanes: number): Promise<number> {
  const waiting = found.values();
  let errors = 0;
  const lane = async (): Promise<void> => {
    for (const skill of waiting) {
      await core.activateSkill(skill).catch(() => {
        errors += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return errors;
}

const loads: ReadonlyMap<string, Load> = new Map<string, Load>([
  [
    'L01',
    {
      title: (scale) => `find ${shown(100_000, scale)} skills`,
      prepare: prepareTree(100_000),
      async run(base, scale) {
        // What was just written has to be in the cache, and the code has to be warm.
        await core.loadCatalog([node.fileSource(skills(base))]);
        const before = await heap();
        const { result, time, p99, longest } = await watch(() => core.loadCatalog([node.fileSource(skills(base))]));
        const kept = (await heap()) - before;
        return [
          missing(count(100_000, scale), result.skills.length),
          { what: 'time', value: time, most: 15_000 * scale },
          { what: 'kept', value: kept, most: 40 * scale },
          { what: 'loop held, p99', value: p99, most: 60 },
          { what: 'loop held, most', value: longest, most: 250 },
        ];
      },
    },
  ],
  [
    'L02',
    {
      title: (scale) => `find ${shown(100_000, scale)} skills again, nothing changed`,
      prepare: prepareTree(100_000),
      async run(base, scale) {
        const sources = [node.fileSource(skills(base))];
        const previous = await core.loadCatalog(sources);
        const before = await heap();
        const { result, time } = await watch(() => core.loadCatalog(sources, { previous }));
        return [
          { what: 'other catalogs', value: result === previous ? 0 : 1, most: 0 },
          { what: 'time', value: time, most: 4000 * scale },
          { what: 'kept beside', value: (await heap()) - before, most: 1 },
        ];
      },
    },
  ],
  [
    'L03',
    {
      title: (scale) => `${shown(10_000, scale)} activations, 256 files open at most`,
      prepare: prepareTree(10_000),
      descriptors: 256,
      async run(base) {
        const { skills: found } = await core.loadCatalog([node.fileSource(skills(base))]);
        const descriptors = openDescriptors();
        const inLanes = await watch(() => activateInLanes(found, 64));
        const resident = memory();
        const atOnce = await watch(() => activateInLanes(found, found.length));
        return [
          { what: 'errors', value: inLanes.result + atOnce.result, most: 0 },
          { what: 'time, 64 at a time', value: inLanes.time, most: 1500 },
          { what: 'resident, 64 at a time', value: resident, most: 200 },
          { what: 'time, all at once', value: atOnce.time, most: 1500 },
          { what: 'loop held by all at once', value: atOnce.longest, most: 50 },
          leak(descriptors),
        ];
      },
    },
  ],
  [
    'L04',
    {
      title: () => 'a SKILL.md of 1 GiB',
      prepare(base) {
        mkdirSync(join(skills(base), 'huge'), { recursive: true });
        const path = join(skills(base), 'huge', 'SKILL.md');
        writeFileSync(path, '---\nname: huge\ndescription: Is huge.\n---\n');
        truncateSync(path, 2 ** 30);
      },
      async run(base) {
        const before = memory();
        const { result, time } = await watch(() => core.loadCatalog([node.fileSource(skills(base))]));
        const [skill] = result.skills;
        const refused = skill === undefined ? 'missing' : await core.activateSkill(skill).catch(core.isSkillError);
        return [
          { what: 'not refused', value: refused === true ? 0 : 1, most: 0 },
          { what: 'time', value: time, most: 20 },
          { what: 'resident, grown', value: memory() - before, most: 4 },
        ];
      },
    },
  ],
  [
    'L05',
    {
      title: (scale) => `${shown(1_000_000, scale)} files in one skill, and as many in the root`,
      prepare(base, scale) {
        const directory = join(skills(base), 'crowded');
        mkdirSync(directory, { recursive: true });
        writeFileSync(join(directory, 'SKILL.md'), '---\nname: crowded\ndescription: Is crowded.\n---\n');
        mkdirSync(join(base, 'crowded'));
        for (const place of [directory, join(base, 'crowded')])
          for (let n = 0; n < count(1_000_000, scale); n += 1) writeFileSync(join(place, `${n}`), '');
      },
      async run(base, scale) {
        const before = memory();
        const sources = ['crowded', 'skills'].map((id) => node.fileSource(join(base, id), { id }));
        const load = await watch(() => core.loadCatalog(sources));
        const [skill] = load.result.skills;
        if (skill === undefined) return [missing(1, 0)];
        const list = await watch(() => skill.source.listFiles(skill));
        const isSaid = load.result.diagnostics.some(({ code }) => code === 'scan-truncated');
        return [
          { what: 'root cut unsaid', value: count(1_000_000, scale) < 100_000 || isSaid ? 0 : 1, most: 0 },
          { what: 'list cut unsaid', value: list.result.truncated ? 0 : 1, most: 0 },
          { what: 'time to find', value: load.time, most: 100 },
          { what: 'time to list', value: list.time, most: 100 },
          { what: 'resident, grown', value: memory() - before, most: 10 },
        ];
      },
    },
  ],
  [
    'L06',
    {
      title: (scale) => `the catalog of ${shown(100_000, scale)} skills within 8,000 tokens`,
      prepare: prepareTree(100_000),
      async run(base) {
        const catalog = await core.loadCatalog([node.fileSource(skills(base))]);
        const { result, time } = await watch(async () => {
          const plan = core.planCatalog(catalog, { budget: { tokens: 8000 } });
          return { plan, text: core.renderCatalog(plan) };
        });
        return [
          { what: 'time', value: time, most: 2000 },
          { what: 'tokens', value: result.text.length / 4, most: 8000 },
          { what: 'skills unplanned', value: catalog.skills.length - result.plan.skills.length, most: 0 },
        ];
      },
    },
  ],
  [
    'L08',
    {
      title: (scale) => `${Math.round(60 * scale)} minutes of 500 operations a second, with edits`,
      prepare: (base) => prepareLongLoad(skills(base)),
      async run(base, scale) {
        const load = await runLongLoad(base, skills(base), 3_600_000 * scale);
        return [
          { what: 'operations a second, too few', value: 500 - load.operationsPerSecond, most: 5 },
          { what: 'heap, grown a minute', value: load.slope, most: 0.1 },
          { what: 'descriptors, spread', value: load.descriptors, most: 0 },
          { what: 'active resources, spread', value: load.resources, most: 0 },
          { what: 'resident', value: load.resident, most: 300 },
        ];
      },
    },
  ],
  [
    'L10',
    {
      title: (scale) => `8 processes switch ${shown(1000, scale)} skills off each`,
      prepare: () => {},
      async run(base, scale) {
        const each = count(1000, scale);
        const toggles = Array.from({ length: 8 }, (_, process) => run('toggle', base, scale, `${process}`));
        const times = (await Promise.all(toggles))
          .flatMap((text) => JSON.parse(text) as number[])
          .sort((a, b) => a - b);
        const { disabled } = await node.loadSettings({ home: base, environment: {} });
        return [
          missing(8 * each, disabled.length),
          { what: 'time of one, p99', value: times[Math.floor(times.length * 0.99)] ?? Number.NaN, most: 250 },
        ];
      },
    },
  ],
]);

async function toggle(base: string, scale: number, own: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < count(1000, scale); n += 1) {
    const start = now();
    await node.setSkillEnabled(`user:s${own}-${n}`, false, { home: base, environment: {}, lockTimeout: 60_000 });
    times.push(now() - start);
  }
  return times;
}

/** Starts this file anew for one step of one load. */
async function run(step: string, base: string, scale: number, ...more: readonly string[]): Promise<string> {
  const [, id = ''] = /^\w+:(L\d+)$/.exec(step) ?? [];
  const limit = loads.get(id)?.descriptors;
  const shell = `${limit === undefined ? '' : `ulimit -n ${limit} && `}exec "$@"`;
  const flags = ['--expose-gc', '--conditions=skillful-source', '--disable-warning=ExperimentalWarning'];
  const command = [process.execPath, ...flags, import.meta.filename, step, base, `${scale}`, ...more];
  const { stdout } = await promisify(execFile)('sh', ['-c', shell, 'sh', ...command], { maxBuffer: 2 ** 26 });
  return stdout;
}

async function main(scale: number, wanted: readonly string[]): Promise<void> {
  const lines = ['| load | | measured | at most | |', '|---|---|--:|--:|---|'];
  const format = (value: number): string =>
    Number.isInteger(value) || value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 1 ? 2 : 1);
  let missed = 0;
  for (const [id, load] of loads) {
    if (wanted.length > 0 && !wanted.includes(id)) continue;
    const base = mkdtempSync(join(tmpdir(), 'skillful-load-'));
    try {
      console.error(`${id}: ${load.title(scale)}`);
      await run(`prepare:${id}`, base, scale);
      for (const { what, value, most } of JSON.parse(await run(`run:${id}`, base, scale)) as readonly Measured[]) {
        missed += value <= most ? 0 : 1;
        const cells = [
          `${id} ${load.title(scale)}`,
          what,
          format(value),
          format(most),
          value <= most ? '' : '**missed**',
        ];
        lines.push(`| ${cells.join(' | ')} |`);
      }
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  }
  console.log(lines.join('\n'));
  console.log(`\nMilliseconds, megabytes and counts; ${availableParallelism()} cores, Node ${process.version}.`);
  if (missed > 0) process.exitCode = 1;
}

const [step = '1', ...rest] = process.argv.slice(2);
const [, action = step, id = ''] = /^(\w+):(\w+)$/.exec(step) ?? [];
const [base = '', given = '1', own = ''] = rest;
if (action === 'prepare') loads.get(id)?.prepare(base, Number(given));
else if (action === 'run') console.log(JSON.stringify(await loads.get(id)?.run(base, Number(given))));
else if (action === 'toggle') console.log(JSON.stringify(await toggle(base, Number(given), own)));
else await main(Number(step), rest);
