import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSandboxUser } from '../../../src/node/scripts/sandbox-user.ts';
import { makeTemporaryDirectory } from '../temporary-directory.ts';

const isRoot = process.getuid?.() === 0 && /4294967295$/m.test(readFileSync('/proc/self/uid_map', 'utf8'));

it.runIf(isRoot)('keeps the user if the only `setpriv` is that of BusyBox, which cannot change it', async () => {
  const directory = await makeTemporaryDirectory();
  writeFileSync(join(directory, 'busybox'), '', { mode: 0o755 });
  symlinkSync('busybox', join(directory, 'setpriv'));
  expect(createSandboxUser(10, [directory], false).id).toBeUndefined();
  expect(createSandboxUser(10, ['/usr/local/bin', '/usr/bin', '/bin'], false).id).toBeGreaterThan(0);
});
