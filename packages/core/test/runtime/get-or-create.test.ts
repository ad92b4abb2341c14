import { expect, it, vi } from 'vitest';
import { getOrCreate } from '../../src/runtime/get-or-create.ts';

it('creates and stores the value of a key only once', () => {
  const map = new Map<string, string[]>();
  const store = vi.spyOn(map, 'set');
  const create = vi.fn((key: string) => [key]);
  const values = ['a', 'a', 'b', 'a'].map((key) => getOrCreate(map, key, create));
  expect(values).toEqual([['a'], ['a'], ['b'], ['a']]);
  expect(new Set(values).size).toBe(2);
  expect([create.mock.calls.length, store.mock.calls.length]).toEqual([2, 2]);
});
