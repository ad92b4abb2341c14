// No text within its limits costs more than its length: each construct grows to its limit, and four times the text takes
// about four times the work. This is the one suite that looks at time: at that of the processor, the best of some runs.

import { describe, expect, it, vi } from 'vitest';
import { type Construct, constructs } from './constructs.ts';

/**
 * Milliseconds of the processor for one turn of the event loop. The promise is 50; a machine that shares its cores with other work
 * takes twice as long.
 */
const longestTurn = 100;

/** Four times the text may take this many times the work, and this many milliseconds more; a square would take 16 times. */
const factor = 9;
const slack = 25;

const runs = 3;

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

async function best(work: () => unknown): Promise<Cost> {
  const costs: Cost[] = [];
  for (let run = 0; run < runs; run += 1) costs.push(await measure(work));
  return { work: Math.min(...costs.map((cost) => cost.work)), turn: Math.min(...costs.map((cost) => cost.turn)) };
}

/** Measures what is prepared for a quarter of the limit and for all of it. */
async function grow(limit: number, prepare: Construct['ways'][number]): Promise<void> {
  const part = await best(await prepare(limit / 4));
  const whole = await best(await prepare(limit));
  const isLinear = whole.work <= factor * part.work + slack;
  expect({ isLinear, isPolite: whole.turn <= longestTurn, ...(isLinear ? {} : { part, whole }) }).toEqual({
    isLinear: true,
    isPolite: true,
  });
}

vi.setConfig({ testTimeout: 60_000 });

describe.each(Object.entries(constructs))('%s', (_, group) => {
  it.each(group)('of $name', async ({ limit, ways }) => {
    for (const way of ways) await grow(limit, way);
  });
});
