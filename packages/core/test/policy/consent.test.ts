import { expect, it } from 'vitest';
import { type ConsentRecord, createConsentStore } from '../../src/policy/consent.ts';

it('the store of a process forgets what was kept longest ago, once it has 10,000 records', () => {
  const store = createConsentStore();
  const record = (at: number): ConsentRecord => ({
    state: 'asked',
    action: 'run',
    skill: 'project:pdf',
    source: 'project',
    digest: 'sha256:0',
    at,
  });
  for (let at = 0; at < 10_000; at += 1) store.set(String(at), record(at));
  store.set('0', record(10_000));
  store.set('new', record(10_001));
  expect(['0', '1', '2', 'new'].map((key) => store.get(key) !== undefined)).toEqual([true, false, true, true]);
});
