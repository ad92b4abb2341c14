// Works on each construct of a group, whose name it says first. Says in the end how large its heap was before, and how much all of its
// memory grew.

import { constructs } from './constructs.ts';

const [group = ''] = process.argv.slice(2);

const largeFile = 4 * 1024 * 1024;

/** Works on all constructs at a part of their limits. */
async function workAt(part: number): Promise<void> {
  for (const { name, limit, bytes, ways } of constructs[group] ?? []) {
    for (const way of ways) {
      process.stdout.write(`${name}\n`);
      // The bytes of a file are outside the heap, where those of earlier files would wait long, and count for this one.
      if (bytes >= largeFile) globalThis.gc?.();
      const work = await way(limit * part);
      await work();
    }
  }
}

await workAt(0.01);
globalThis.gc?.();
const before = process.resourceUsage().maxRSS;
const { heapUsed } = process.memoryUsage();
await workAt(1);
process.stdout.write(JSON.stringify({ heapUsed, grown: (process.resourceUsage().maxRSS - before) * 1024 }));
