// Works on each construct of a group, whose name it says first. Says in the end how large its heap was before, and how much all of its
// memory grew.

import { constructs } from './constructs.ts';

const [group = ''] = process.argv.slice(2);

/** Works on all constructs at a part of their limits. */
async function workAt(part: number): Promise<void> {
  for (const { name, limit, ways } of constructs[group] ?? []) {
    for (const way of ways) {
      process.stdout.write(`${name}\n`);
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
