// Waits for a lock and writes its name into a file under it; or holds the lock until it is killed.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../../src/node/manage/lock.ts';

const [, , directory = '', name = '', action = ''] = process.argv;

process.stdout.write('ready\n');
await withLock(join(directory, 'lock'), Number.POSITIVE_INFINITY, async () => {
  appendFileSync(join(directory, 'done'), `${name} `);
  if (action === 'hold') setInterval(() => {}, 1000);
  if (action === 'hold') await new Promise(() => {});
});
