import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createQueue } from '../../src/runtime/queue.ts';

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a queue', () => {
  it('starts four pieces of work at once, and four more in each turn of the event loop', async () => {
    const queue = createQueue();
    const started: number[] = [];
    for (const n of numbers(1, 10)) void queue(async () => void started.push(n), undefined);
    const seen = [[...started]];
    for (let turn = 0; turn < 3; turn += 1) {
      await setImmediate();
      seen.push([...started]);
    }
    expect(seen).toEqual([numbers(1, 4), numbers(1, 8), numbers(1, 10), numbers(1, 10)]);
  });

  it('runs 16 pieces of work at once, and one more as soon as one ends', async () => {
    const queue = createQueue();
    const ends: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    for (let n = 0; n < 20; n += 1) void queue(work, undefined);
    for (let turn = 0; turn < 8; turn += 1) await setImmediate();
    expect(ends).toHaveLength(16);
    ends[0]?.();
    for (let turn = 0; turn < 2; turn += 1) await setImmediate();
    expect(ends).toHaveLength(17);
  });

  it('returns what the work returns, and gives the place of failed work to the next', async () => {
    const queue = createQueue();
    const works = numbers(1, 40).map((n) =>
      queue(() => (n % 2 === 0 ? Promise.resolve(n) : Promise.reject(new Error(`${n}`))), undefined),
    );
    expect(await Promise.allSettled(works)).toMatchObject(
      numbers(1, 40).map((n) =>
        n % 2 === 0 ? { status: 'fulfilled', value: n } : { status: 'rejected', reason: new Error(`${n}`) },
      ),
    );
  });

  it('rejects what was aborted when its turn comes, and starts the others in its place', async () => {
    const queue = createQueue();
    for (let n = 0; n < 4; n += 1) void queue(async () => {}, undefined);
    const controller = new AbortController();
    const started: number[] = [];
    const waiting = numbers(1, 8).map((n) =>
      queue(async () => void started.push(n), n % 2 === 0 ? controller.signal : undefined),
    );
    const ending = Promise.allSettled(waiting);
    controller.abort(new Error('enough'));
    await setImmediate();
    expect(started).toEqual([1, 3, 5, 7]);
    const outcomes = await ending;
    expect(outcomes.map(({ status }) => status)).toEqual(
      numbers(1, 8).map((n) => (n % 2 === 0 ? 'rejected' : 'fulfilled')),
    );
    expect(outcomes[1]).toMatchObject({ reason: new Error('enough') });
    await expect(queue(async () => {}, controller.signal)).rejects.toThrow('enough');
  });

  it('puts no listener on a signal, however many share it', async () => {
    const queue = createQueue();
    const { signal } = new AbortController();
    let listeners = 0;
    signal.addEventListener = () => {
      listeners += 1;
    };
    await Promise.all(numbers(1, 2000).map(() => queue(async () => {}, signal)));
    expect(listeners).toBe(0);
  });
});
