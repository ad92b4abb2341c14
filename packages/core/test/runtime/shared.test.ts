import { expect, it, vi } from 'vitest';
import { shareWork } from '../../src/runtime/shared.ts';

it('starts work once for all calls', async () => {
  const start = vi.fn(async () => ({}));
  const work = shareWork(start);
  const [one, other] = await Promise.all([work(), work()]);
  expect([one === other, (await work()) === one, start.mock.calls.length]).toEqual([true, true, 1]);
});

it('starts work again, once for all of them, if work fails that calls only shared', async () => {
  const rejects: ((reason: Error) => void)[] = [];
  const start = vi.fn(() => new Promise<string>((_, reject) => rejects.push(reject)));
  const work = shareWork(start);
  const all = Promise.allSettled([work(), work(), work()]);
  rejects[0]?.(new Error('first'));
  await vi.waitFor(() => expect(rejects).toHaveLength(2));
  rejects[1]?.(new Error('second'));
  expect((await all).map((one) => one.status === 'rejected' && one.reason.message)).toEqual([
    'first',
    'second',
    'second',
  ]);
  start.mockResolvedValueOnce('third');
  expect([await work(), start.mock.calls.length]).toEqual(['third', 3]);
});
