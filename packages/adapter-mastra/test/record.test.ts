import { expect, it } from 'vitest';
import { mergeRecords, type RecordEntry, readRecord, recordDecisions } from '../src/record.ts';

const entry = (key: string, at: number): RecordEntry => ({
  kind: 'code',
  text: `<skill_active name="${key}" />`,
  key,
  at,
});
const [a, b, c] = [entry('a', 3), entry('b', 1), entry('c', 3)];

it('makes the same record of several, whatever their order', () => {
  const later = entry('b', 9);
  for (const records of [
    [
      [a, b],
      [c, later],
    ],
    [
      [later, c],
      [b, a],
    ],
    [[c], [a], [b], [later], [a, b, c]],
  ]) {
    expect(mergeRecords(...records)).toEqual([b, a, c]);
  }
});

it('ignores what is not an entry of a record', () => {
  const odd = [null, 'a', { ...a, at: 'now' }, { ...a, kind: 'result' }, { ...a, kind: 'system' }, { key: 'a', at: 1 }];
  expect(readRecord({ skillful: [...odd, c] })).toEqual([c]);
  expect([undefined, {}, { skillful: 'text' }, { skillful: { a } }].map(readRecord)).toEqual([[], [], [], []]);
});

it('adds decisions behind all that is there, also behind what a clock ahead of ours has recorded', () => {
  const ahead = entry('a', Date.now() + 1_000_000);
  const items = [
    { kind: 'code' as const, text: '<skill_inactive name="a" />' },
    { kind: 'code' as const, text: '<skill_active name="b" />' },
  ];
  const [first, ...added] = recordDecisions([ahead], items);
  expect(first).toEqual(ahead);
  expect(added).toEqual(items.map((item, index) => ({ ...item, key: expect.any(String), at: ahead.at + 1 + index })));
});
