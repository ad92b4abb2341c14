// Swaps two paths as fast as it can until it is killed: the other side of the race tests.

import { renameSync } from 'node:fs';

const [, , first, second] = process.argv;
const aside = `${second}.aside`;
process.stdout.write('ready');
for (;;) {
  renameSync(first, aside);
  renameSync(second, first);
  renameSync(first, second);
  renameSync(aside, first);
}
