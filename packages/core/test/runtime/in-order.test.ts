import { expect, it } from 'vitest';
import { createOrder } from '../../src/runtime/in-order.ts';

it('runs work of one key in order, even after a failure, and that of other keys at the same time', async () => {
  const inOrder = createOrder();
  const done: string[] = [];
  const release: (() => void)[] = [];
  const work = (name: string) => () => {
    done.push(`${name} begins`);
    return new Promise<string>((resolve) => {
      release.push(() => {
        done.push(`${name} ends`);
        resolve(name);
      });
    });
  };
  const failed = inOrder('a', () => Promise.reject(new Error('no')));
  const first = inOrder('a', work('first'));
  const second = inOrder('a', work('second'));
  const other = inOrder('b', work('other'));
  await expect(failed).rejects.toThrow('no');
  await new Promise(setImmediate);
  expect(done).toEqual(['other begins', 'first begins']);
  for (const end of release) end();
  expect(await Promise.all([first, other])).toEqual(['first', 'other']);
  await new Promise(setImmediate);
  expect(done).toEqual(['other begins', 'first begins', 'other ends', 'first ends', 'second begins']);
  release.at(-1)?.();
  expect(await second).toBe('second');
});
