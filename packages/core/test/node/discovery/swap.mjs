// Swaps two paths, as fast as it can or with pauses, until it is killed: the other side of the race tests.

import { renameSync } from 'node:fs';

const [, , first, second, pause = '0'] = process.argv;
const aside = `${second}.aside`;
const clock = new Int32Array(new SharedArrayBuffer(4));
/** At least a tick of a coarse clock, and never in step with the one who reads. */
const rest = () => Number(pause) > 0 && Atomics.wait(clock, 0, 0, Number(pause) * (1 + Math.random()));
process.stdout.write('ready');
for (;;) {
  renameSync(first, aside);
  renameSync(second, first);
  rest();
  renameSync(first, second);
  renameSync(aside, first);
  rest();
}
