// Runs a script with no, one, two … file descriptors left, and prints how each run ended.

import { closeSync, openSync } from 'node:fs';
import { isSkillError } from '../../../src/index.ts';
import { processRunner } from '../../../src/node/index.ts';

const plan = {
  skill: 'x',
  path: 'scripts/a.sh',
  arguments: [],
  input: 'read',
  files: new Map([['scripts/a.sh', new TextEncoder().encode('cat')]]),
  digest: '',
};
const runner = processRunner();
// Loads what only the first run loads.
await runner.run(plan).catch(() => {});

const open: number[] = [];
try {
  for (;;) open.push(openSync('/dev/null', 'r'));
} catch {
  // No descriptors are left.
}
for (let left = 1; left <= 16; left += 1) {
  closeSync(open.pop() ?? -1);
  const ending = await runner.run(plan).then(
    ({ output }) => output,
    (error: unknown) => (isSkillError(error) ? `${error.code}: ${error.message}` : String(error)),
  );
  process.stdout.write(`${ending}\n`);
}
