// Swaps two paths in another process, as fast as it can, for tests of what a reader or a writer makes of that.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Number of the system call that exchanges two paths in one step, by processor. */
const renameat2: Readonly<Record<string, number>> = { x64: 316, arm64: 276 };

const script = fileURLToPath(new URL('./discovery/swap.mjs', import.meta.url));
const call = renameat2[process.arch];
const hasPerl = call !== undefined && spawnSync('perl', ['-e', '1']).status === 0;

/** In one step if that is possible, else by renaming. */
function commandFor(first: string, second: string): readonly [string, readonly string[]] {
  if (!hasPerl) return [process.execPath, [script, first, second]];
  const program = `$| = 1; print "ready"; syscall(${call}, -100, $ARGV[0], -100, $ARGV[1], 2) while 1`;
  return ['perl', ['-e', program, first, second]];
}

/** Starts a process that swaps two paths until the test ends. */
export async function startSwapping(first: string, second: string): Promise<void> {
  const [program, args] = commandFor(first, second);
  const swapper = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(swapper, 'exit');
  onTestFinished(async () => {
    swapper.kill('SIGKILL');
    await exit;
  });
  await once(swapper.stdout, 'data');
}
