// No text within its limits costs more than its length: each construct grows to its limit, and four times the text takes
// about four times the work. This is the one suite that looks at time: at that of the processor, the best of the runs so far, beside
// that of other work, because a machine may share its cores.

import { describe, expect, it, vi } from 'vitest';
import { type Construct, constructs } from './constructs.ts';

/**
 * One turn of the event loop at most, as a multiple of what it takes to look at each character of a text of 5 million: about 3 ms
 * once the code is warm. The promise is 50 ms on a quiet machine. Here, only work that is not divided into turns must stand out.
 */
const longestTurn = 30;

/** Four times the text may take this many times the work, and this many milliseconds more; a square would take 16 times. */
const factor = 9;
const slack = 25;

/** How often each is measured at most, because other work may have begun in between. */
const runs = 12;

function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

interface Cost {
  readonly work: number;
  /** The longest turn of the event loop. */
  readonly turn: number;
}

/** Measures some work, and the longest turn that it takes of the event loop. */
async function measure(work: () => unknown): Promise<Cost> {
  let turn = 0;
  let isOver = false;
  let last = cpuTime();
  const tick = (): void => {
    turn = Math.max(turn, cpuTime() - last);
    if (!isOver) setImmediate(tick);
    last = cpuTime();
  };
  const start = cpuTime();
  last = start;
  setImmediate(tick);
  await work();
  const total = cpuTime() - start;
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return { work: total, turn };
}

const sample = 'sample of a text\n'.repeat(300_000);
const passes = 5;

/** Measures the work that turns are compared with: several times, because some clocks count in steps of 4 ms. */
function measureSample(): number {
  const start = cpuTime();
  let lines = 0;
  for (let pass = 0; pass < passes; pass += 1) {
    for (let index = 0; index < sample.length; index += 1) if (sample.charCodeAt(index) === 0x0a) lines += 1;
  }
  expect(lines).toBe(passes * 300_000);
  return (cpuTime() - start) / passes;
}

/** The least of each figure. */
function least(costs: readonly Cost[]): Cost {
  return { work: Math.min(...costs.map((cost) => cost.work)), turn: Math.min(...costs.map((cost) => cost.turn)) };
}

/** Measures what is prepared for all of the limit, then for a quarter of it: the code that is still cold only makes the test harder. */
async function grow(limit: number, prepare: Construct['ways'][number]): Promise<void> {
  const small = await prepare(limit / 4);
  const large = await prepare(limit);
  const wholes: Cost[] = [];
  const parts: Cost[] = [];
  while (wholes.length < runs) {
    wholes.push(await measure(large));
    parts.push(await measure(small));
    const whole = least(wholes);
    if (whole.work <= factor * least(parts).work + slack && whole.turn <= longestTurn * measureSample()) return;
  }
  expect({ wholes, parts }).toEqual({});
}

vi.setConfig({ testTimeout: 60_000 });

describe.each(Object.entries(constructs))('%s', (_, group) => {
  it.each(group)('of $name', async ({ limit, ways }) => {
    for (const way of ways) await grow(limit, way);
  });
});
