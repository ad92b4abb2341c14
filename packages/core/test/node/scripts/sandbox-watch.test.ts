import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { watchSandbox } from '../../../src/node/scripts/sandbox-watch.ts';

/** Counts the processes that a process sees, as if it were the first one of a sandbox. */
function watch(first: number, limit: number) {
  const [stream, end] = [new EventEmitter(), vi.fn()];
  const { stop } = watchSandbox(stream, limit, end);
  for (const piece of ['{\n    "child', `-pid": ${first}`, '\n}\n']) stream.emit('data', Buffer.from(piece));
  return { end, stop };
}

describe.runIf(process.platform === 'linux')('watchSandbox', () => {
  it('does not take the processes of the host for those of a sandbox that is not ready', async () => {
    const { end, stop } = watch(process.pid, 0);
    await setTimeout(100);
    stop();
    expect(end).not.toHaveBeenCalled();
  });

  it('ends the first process, also if it is told only later', async () => {
    const program = spawn('sleep', ['65433']);
    const exited = once(program, 'exit');
    const stream = new EventEmitter();
    const { endProcesses, stop } = watchSandbox(stream, 1, () => {});
    stop();
    const ending = endProcesses();
    stream.emit('data', Buffer.from(`{ "child-pid": ${program.pid} }\n`));
    await ending;
    expect(await exited).toEqual([null, 'SIGKILL']);
  });

  it('ends no process that may have the id of one that has ended', async () => {
    const stream = new EventEmitter();
    const { endProcesses, stop } = watchSandbox(stream, 1, () => {});
    stop();
    stream.emit('data', Buffer.from(`{ "child-pid": ${process.pid} }\n{ "exit-code": 0 }\n`));
    await endProcesses();
  });

  it('waits for the end of the stream before it says whether a program was started', async () => {
    for (const written of ['{ "exit-code": 1 }\n', '']) {
      const stream = new EventEmitter();
      const { hasStarted, stop } = watchSandbox(stream, 1, () => {});
      const started = hasStarted();
      stream.emit('data', Buffer.from(written));
      stream.emit('close');
      stop();
      expect(await started).toBe(written !== '');
    }
  });

  it('does not wait for ever for a sandbox that says nothing', async () => {
    const { endProcesses, hasStarted, stop } = watchSandbox(new EventEmitter(), 1, () => {});
    stop();
    expect(await Promise.all([endProcesses(), hasStarted()])).toEqual([undefined, false]);
  });

  it.runIf(process.getuid?.() !== 0)('ends a sandbox that it cannot look into', async () => {
    const { end, stop } = watch(1, 100);
    await vi.waitFor(() => expect(end).toHaveBeenCalled(), 5_000);
    stop();
    expect(end.mock.calls[0]).toEqual([expect.objectContaining({ code: 'script-unsupported' })]);
  });
});
