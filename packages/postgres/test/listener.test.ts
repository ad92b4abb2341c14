import { expect, it, onTestFinished, vi } from 'vitest';
import { createListener } from '../src/listener.ts';

it('opens a lost connection again after 5 seconds at most, however long the server is gone', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const attempts: number[] = [];
  const connect = () => {
    attempts.push(performance.now());
    return Promise.reject(new Error('gone'));
  };
  const stop = new AbortController();
  createListener({ connect, on: () => {} }, 10_000).listen('changes', () => {}, stop.signal);
  await vi.advanceTimersByTimeAsync(600_000);
  stop.abort();
  const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
  const latest = pauses.slice(6);
  expect(Math.max(...latest)).toBeLessThanOrEqual(5_000);
  expect(Math.min(...latest)).toBeGreaterThanOrEqual(2_500);
  expect(new Set(latest).size).toBeGreaterThan(latest.length / 2);
  const known = attempts.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(attempts.length).toBe(known);
});
