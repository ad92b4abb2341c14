// Puts a load on the core for a long time and samples what is held, to show that nothing grows.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { core, node } from './workspace.ts';

/** Memory in megabytes. */
interface Sample {
  readonly minute: number;
  readonly heap: number;
  readonly resident: number;
  readonly descriptors: number;
  readonly resources: number;
}

export interface LongLoad {
  readonly operationsPerSecond: number;
  /** Growth of the heap after the warm-up, in megabytes a minute. */
  readonly slope: number;
  readonly resident: number;
  /** The most less the least of what was there after the warm-up. */
  readonly descriptors: number;
  readonly resources: number;
}

const skillCount = 100;
const perSecond = 500;
const sampleEvery = 10_000;

function writeSkill(root: string, name: string, version: number): void {
  mkdirSync(join(root, name, 'references'), { recursive: true });
  const text = `---\nname: ${name}\ndescription: Is skill ${name}, version ${version}.\n---\n\n${'Do it. '.repeat(500)}\n`;
  writeFileSync(join(root, name, 'SKILL.md'), text);
  writeFileSync(join(root, name, 'references', 'more.md'), `More of ${version}.\n`.repeat(200));
}

const nameOf = (n: number): string => `skill-${n % skillCount}`;

export function prepareLongLoad(root: string): void {
  for (let n = 0; n < skillCount; n += 1) writeSkill(root, nameOf(n), 0);
}

/** Gives what does the operation of a number: of 50, 24 activate, 15 read, 5 discover, 5 toggle and 1 edits. */
async function createOperations(home: string, root: string): Promise<(n: number) => Promise<unknown> | undefined> {
  const sources = [node.fileSource(root, { scope: 'user' })];
  let catalog = await core.loadCatalog(sources);

  async function discover(): Promise<void> {
    catalog = await core.loadCatalog(sources, { previous: catalog });
    if (catalog.skills.length < skillCount) throw new Error('A skill is missing.');
  }

  /** Changes a skill, or adds one that the next edit removes. */
  async function edit(n: number): Promise<void> {
    if (n % 3 === 0) writeSkill(root, nameOf(n), n);
    else if (n % 3 === 1) writeSkill(root, 'passing', n);
    else rmSync(join(root, 'passing'), { recursive: true, force: true });
  }

  return (n) => {
    const skill = catalog.skills.find(({ name }) => name === nameOf(n * 7));
    if (skill === undefined) throw new Error('A skill is missing.');
    const kind = n % 50;
    if (kind === 0) return edit(n / 50);
    if (kind % 10 === 5) return discover();
    if (kind % 10 === 9) return node.setSkillEnabled(skill, Math.floor(n / 1000) % 2 === 0, { home, environment: {} });
    if (kind % 5 < 2 || kind % 5 === 3) return core.activateSkill(skill);
    return skill.source.readFile(skill, 'references/more.md');
  };
}

async function takeSample(start: number): Promise<Sample> {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc?.();
    await setTimeout(1);
  }
  const { heapUsed, rss } = process.memoryUsage();
  return {
    minute: (performance.now() - start) / 60_000,
    heap: heapUsed / 1e6,
    resident: rss / 1e6,
    descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0,
    resources: process.getActiveResourcesInfo().length,
  };
}

/** Works for some milliseconds; the first third, or ten minutes, is the warm-up. An operation that fails ends it. */
export async function runLongLoad(home: string, root: string, duration: number): Promise<LongLoad> {
  const operate = await createOperations(home, root);
  const samples: Sample[] = [];
  const start = performance.now();
  const total = (duration / 1000) * perSecond;
  for (let done = 0; done < total; ) {
    const elapsed = performance.now() - start;
    const due = Math.min(total, Math.ceil((elapsed / 1000) * perSecond));
    await Promise.all(Array.from({ length: due - done }, (_, index) => operate(done + index)));
    done = due;
    if (elapsed >= (samples.length + 1) * sampleEvery) samples.push(await takeSample(start));
    await setTimeout(20);
  }
  const minutes = (performance.now() - start) / 60_000;
  const warm = samples.filter(({ minute }) => minute > Math.min(10, minutes / 3));
  if (warm.length < 3) throw new Error('Too short to tell whether anything grows.');
  return {
    operationsPerSecond: total / minutes / 60,
    slope: slopeOf(warm.map(({ minute, heap }) => [minute, heap])),
    resident: Math.max(...warm.map(({ resident }) => resident)),
    descriptors: spread(warm.map(({ descriptors }) => descriptors)),
    resources: spread(warm.map(({ resources }) => resources)),
  };
}

const spread = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The slope of the straight line that is nearest to some points, by least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const rise = points.map(([at, value]) => (at - x) * (value - y));
  return mean(rise) / mean(points.map(([at]) => (at - x) ** 2));
}
