// What is measured inside a process: times in milliseconds, memory in bytes.

import { readFileSync } from 'node:fs';

/** Runs some work and returns its time and its result. */
export async function timed<Result>(work: () => Result): Promise<[milliseconds: number, result: Awaited<Result>]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Starts a timer of one millisecond; the returned function stops it and returns its longest delay. */
export async function watchLoop(): Promise<() => Promise<number>> {
  let [longest, last] = [0, performance.now()];
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 1);
    last = now;
  };
  const timer = setInterval(tick, 1);
  await wait(3);
  longest = 0;
  return async () => {
    // Only the next tick sees a delay that lasted to the end of the work.
    await wait(5);
    clearInterval(timer);
    return longest;
  };
}

/** Memory in use after garbage collection. Code that was only needed to start takes several collections to go. */
export async function memoryInUse(): Promise<number> {
  for (let round = 0; round < 10; round += 1) {
    globalThis.gc?.();
    await wait(0);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The most memory that was resident so far. */
export function peakMemory(): number {
  // What Node reports on Linux begins with the memory of the parent process, so the kernel is asked for this process alone.
  const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS) * 1024;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
