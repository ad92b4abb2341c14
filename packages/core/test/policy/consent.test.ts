import { expect, it } from 'vitest';
import { type ConsentRecord, changedFiles, createConsentStore, parseConsent } from '../../src/policy/consent.ts';

const record = (at: number): ConsentRecord => ({
  state: 'asked',
  action: 'run',
  skill: 'project:pdf',
  source: 'project',
  digest: 'sha256:0',
  at,
});

it('the store of a process forgets what was kept longest ago, once it has 10,000 records', () => {
  const store = createConsentStore();
  for (let at = 0; at < 10_000; at += 1) store.set(String(at), record(at));
  store.set('0', record(10_000));
  store.set('new', record(10_001));
  expect(['0', '1', '2', 'new'].map((key) => store.get(key) !== undefined)).toEqual([true, false, true, true]);
});

it('a record from a store counts only if each of its fields is what it should be', () => {
  expect(parseConsent(record(1), 'asked')).toEqual(record(1));
  expect(parseConsent(record(1), 'agreed')).toBeUndefined();
  for (const field of Object.keys(record(1)))
    expect(parseConsent({ ...record(1), [field]: null }, 'asked'), field).toBeUndefined();
});

it('files that differ are named in the order of their paths: new, changed and missing ones', () => {
  expect(changedFiles({ d: '1', c: '1', b: '1' }, { c: '2', b: '1', a: '1' })).toEqual(['a', 'c', 'd']);
});
