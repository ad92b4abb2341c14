import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { PooledConnection } from '../src/client.ts';
import { createListener } from '../src/listener.ts';

function useFakeTimers(): void {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

/** Creates a listener to a pool of one connection, which nothing happens to. */
function createListenerOver(connection: Pick<PooledConnection, 'query' | 'processID'>) {
  const whole = { ...connection, release: () => {}, on: () => {}, removeListener: () => {} };
  return createListener({ connect: async () => whole, on: () => {} }, 10_000);
}

/** Listens to a server for 10 minutes, and returns the pauses between its attempts to connect. */
async function attempt(connect: () => Promise<never>): Promise<readonly number[]> {
  useFakeTimers();
  const attempts: number[] = [];
  const stop = new AbortController();
  const pool = {
    connect: () => {
      attempts.push(performance.now());
      return connect();
    },
    on: () => {},
  };
  createListener(pool, 10_000).listen('changes', () => {}, stop.signal);
  await vi.advanceTimersByTimeAsync(600_000);
  stop.abort();
  const known = attempts.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(attempts.length).toBe(known);
  return attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
}

it('opens a lost connection again after 5 seconds at most, however long the server is gone', async () => {
  const pauses = await attempt(() => Promise.reject(new Error('gone')));
  const latest = pauses.slice(6);
  expect(Math.max(...latest)).toBeLessThanOrEqual(5_000);
  expect(Math.min(...latest)).toBeGreaterThanOrEqual(2_500);
  expect(new Set(latest).size).toBeGreaterThan(latest.length / 2);
});

it('waits as long after attempts that the server does not answer, however long each of them takes', async () => {
  const pauses = await attempt(() => new Promise(() => {}));
  const latest = pauses.slice(6);
  expect(Math.min(...latest)).toBeGreaterThanOrEqual(10_000 + 2_500);
  expect(Math.max(...latest)).toBeLessThanOrEqual(10_000 + 5_000);
});

it('leaves no timer, which would keep the process alive, if it ends while it waits for a connection', async () => {
  useFakeTimers();
  const stop = new AbortController();
  const pool = { connect: () => new Promise<never>(() => {}), on: () => {} };
  createListener(pool, 10_000).listen('changes', () => {}, stop.signal);
  await vi.advanceTimersByTimeAsync(100);
  stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('calls back every few seconds while it cannot listen, as on a replica, because anything may have been published', async () => {
  useFakeTimers();
  const stop = new AbortController();
  const query = () => Promise.reject(new Error('cannot execute LISTEN during recovery'));
  const onChange = vi.fn();
  createListenerOver({ query }).listen('changes', onChange, stop.signal);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onChange.mock.calls.length).toBeGreaterThan(10);
  stop.abort();
  onChange.mockClear();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onChange).not.toHaveBeenCalled();
});

it.each([
  ['now and then behind a pooler, which may lose notifications', 7, 3],
  ['only for notifications on a session of its own', 8, 1],
])('calls back %s', async (_, processID, calls) => {
  useFakeTimers();
  const stop = new AbortController();
  const query = async () => ({ rows: [{ id: 8 }] });
  const onChange = vi.fn();
  createListenerOver({ processID, query }).listen('changes', onChange, stop.signal);
  await vi.advanceTimersByTimeAsync(70_000);
  stop.abort();
  expect(onChange).toHaveBeenCalledTimes(calls);
});

it('runs one statement at a time, because `pg` will no longer keep others waiting', async () => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const heard: string[] = [];
  let [running, most] = [0, 0];
  async function query(text: string) {
    running += 1;
    most = Math.max(most, running);
    await setTimeout(5);
    running -= 1;
    heard.push(text);
    return { rows: [] };
  }
  const listener = createListenerOver({ query });
  const listen = (channel: string) => new Promise<void>((resolve) => listener.listen(channel, resolve, stop.signal));
  await listen('first');
  await Promise.all(['second', 'third', 'first'].map(listen));
  expect(heard).toEqual(['listen first', 'listen second', 'listen third', 'listen first']);
  expect(most).toBe(1);
});

it('closes its connection once nothing is listened to, and then opens none', async () => {
  const released: unknown[] = [];
  const connect = vi.fn(async () => ({
    query: async () => ({ rows: [] }),
    release: (destroy?: boolean) => released.push(destroy),
    on: () => {},
    removeListener: () => {},
  }));
  const listener = createListener({ connect, on: () => {} }, 10_000);
  const onChange = vi.fn();
  const [one, other] = [new AbortController(), new AbortController()];
  listener.listen('changes', onChange, one.signal);
  listener.listen('changes', onChange, other.signal);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2));
  one.abort();
  await setTimeout(10);
  expect(released).toEqual([]);
  other.abort();
  // A connection that still listens must not go back to the pool.
  await vi.waitFor(() => expect(released).toEqual([true]));
  listener.listen('changes', onChange, AbortSignal.abort());
  await setTimeout(10);
  expect(connect).toHaveBeenCalledTimes(1);
});
