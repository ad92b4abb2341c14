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

it('starts work again that says nothing for 30 seconds, but not work that is alive or done', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['performance'] });
  try {
    const live: (() => void)[] = [];
    const ends: ((value: string) => void)[] = [];
    const start = vi.fn((alive: () => void) => {
      live.push(alive);
      return new Promise<string>((resolve) => ends.push(resolve));
    });
    const work = shareWork(start);
    const first = work();
    vi.advanceTimersByTime(30_000);
    live[0]?.();
    vi.advanceTimersByTime(30_000);
    const second = work();
    expect(start).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    const third = work();
    expect(start).toHaveBeenCalledTimes(2);
    ends[1]?.('new');
    expect(await third).toBe('new');
    // The first work was only slow.
    live[0]?.();
    vi.advanceTimersByTime(939_999);
    expect([await work(), start.mock.calls.length]).toEqual(['new', 2]);
    ends[0]?.('old');
    expect([await first, await second, await work()]).toEqual(['old', 'old', 'new']);
  } finally {
    vi.useRealTimers();
  }
});
