import { expect, it } from 'vitest';
import { untilAborted } from '../../src/runtime/until-aborted.ts';

const never = new Promise<string>(() => {});

it('settles like the promise, with or without a signal', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve('done'), undefined)).toBe('done');
  expect(await untilAborted(Promise.resolve('done'), signal)).toBe('done');
  await expect(untilAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
});

it('rejects with the reason of a signal that is aborted before or while it waits', async () => {
  const controller = new AbortController();
  const waiting = untilAborted(never, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(untilAborted(never, controller.signal)).rejects.toThrow('enough');
  await expect(untilAborted(Promise.reject(new Error('broken')), controller.signal)).rejects.toThrow('enough');
});
