import { expect, it, vi } from 'vitest';
import { inTime, untilAborted } from '../../src/runtime/until-aborted.ts';

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

it('puts one listener on a signal, however many wait for it, and removes it after the last', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await Promise.all([untilAborted(Promise.resolve(), signal), untilAborted(Promise.resolve(), signal)]);
  expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  const waiting = Array.from({ length: 3 }, () => untilAborted(never, signal));
  await untilAborted(Promise.resolve(), signal);
  expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([2, 1]);
  controller.abort(new Error('enough'));
  for (const each of waiting) await expect(each).rejects.toThrow('enough');
});

it('takes a result that is there at once', async () => {
  expect(await untilAborted('done', new AbortController().signal)).toBe('done');
});

it.each([Infinity, 2 ** 31])('waits for work if the limit of %s is longer than any timer', async (limit) => {
  const soon = new Promise((resolve) => setTimeout(resolve, 20, 'done'));
  expect(await inTime(soon, limit, 'Too late.')).toBe('done');
});

it('rejects once for what is no signal, and leaves no rejection that would end the process', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const controller = new AbortController() as object as AbortSignal;
  await expect(untilAborted(Promise.resolve(1), controller)).rejects.toThrow('addEventListener is not a function');
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
