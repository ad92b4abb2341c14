import { describe, expect, it } from 'vitest';
import { createToolkit, loadCatalog } from '../../src/index.ts';

const toolkit = createToolkit(await loadCatalog([]));

describe('merge', () => {
  it("keeps the application's decision of two changes in the same millisecond", () => {
    const begun = { by: 'model', at: 5, digest: '01234567' };
    const decided = { by: 'code', at: 5, ended: true };
    for (const both of [
      [begun, decided],
      [decided, begun],
    ])
      expect(toolkit.merge(...both.map((pdf) => ({ skills: { pdf } })))).toEqual({ skills: { pdf: decided } });
  });

  it('keeps the order of what began in the same millisecond, because texts in one message have that order', () => {
    const before = { mail: { by: 'model', at: 1 }, report: { by: 'code', at: 5 } } as const;
    const after = { report: { by: 'code', at: 5, digest: '00000000' }, mail: { by: 'user', at: 5 } } as const;
    const { skills } = toolkit.merge({ skills: before }, { skills: after });
    expect(Object.keys(skills)).toEqual(['report', 'mail']);
  });

  it('takes what a store returns, and leaves out what is no record of a skill', () => {
    const record = { by: 'code', at: 3, digest: '12345678', ended: true };
    const odd = {
      a: null,
      b: { by: 'client', at: 1 },
      c: { by: 'code', at: 'now' },
      d: { ...record, digest: 7, more: 1 },
    };
    const stored = { seen: 7, skills: { pdf: record, ...odd } };
    expect(toolkit.merge(stored)).toEqual({ skills: { pdf: record, d: { by: 'code', at: 3, ended: true } } });
    for (const none of [undefined, null, 'text', [], { skills: [] }, { skills: 'text' }]) {
      expect(toolkit.merge(none)).toEqual({ skills: {} });
    }
  });

  it('keeps all that a record says', () => {
    const who = { by: 'model', at: 3, digest: '12345678', consent: 'sha256:1', lasting: true, key: 'a' };
    const state = { seen: 'a', skills: { pdf: { ...who, hasArguments: true, moved: true, ended: true } } };
    expect(toolkit.merge(state)).toEqual(state);
  });

  it('takes what happened last, and of two at the same time the one that says more', () => {
    const [short, long] = [
      { by: 'user', at: 1 },
      { by: 'user', at: 1, digest: '12345678' },
    ];
    for (const both of [
      [short, long],
      [long, short],
    ]) {
      expect(toolkit.merge(...both.map((pdf) => ({ skills: { pdf } })))).toEqual({ skills: { pdf: long } });
    }
    const later = { by: 'code', at: 2, ended: true };
    for (const both of [
      [later, long],
      [long, later],
    ]) {
      expect(toolkit.merge(...both.map((pdf) => ({ skills: { pdf } })))).toEqual({ skills: { pdf: later } });
    }
  });

  it('returns the same JSON for the same state, whatever a store does with the order of keys', () => {
    const state = { skills: { pdf: { by: 'user', at: 1, digest: '12345678', key: 'a' } }, seen: 'a' };
    const sorted = { seen: 'a', skills: { pdf: { key: 'a', digest: '12345678', by: 'user', at: 1 } } };
    expect(JSON.stringify(toolkit.merge(sorted))).toBe(JSON.stringify(toolkit.merge(state)));
  });
});

describe('readResult', () => {
  it('returns the text and the files', () => {
    const files = [{ mediaType: 'image/png', data: 'iVBORw==', filename: 'seal.png' }];
    const stored = {
      text: 'A seal.',
      isError: false,
      files: [...files, { mediaType: 1, data: '' }, { mediaType: 'image/png' }, null],
    };
    expect(toolkit.readResult('read_skill_resource', stored)).toEqual({ text: 'A seal.', isError: false, files });
    expect(toolkit.readResult('read_skill_resource', 'Not today.')).toMatchObject({ text: 'Not today.' });
    const refused = { text: 'No such file.', isError: true, files: [] };
    expect(toolkit.readResult('read_skill_resource', refused)).toEqual(refused);
  });

  it('reads what a client sends back as JSON, and no other JSON', () => {
    const stored = { text: 'A seal.', isError: false, files: [], details: { kind: 'resource' } };
    const { details: _, ...result } = stored;
    expect(toolkit.readResult('read_skill_resource', JSON.stringify(stored))).toEqual(result);
    for (const text of ['{"text":"A","details":{}}', '{"text":"A"', '{"kind":1,"text":"A"}', '[{"text":"A"}]'])
      expect(toolkit.readResult('run_skill_script', text).text).toBe(text);
  });

  it.each([undefined, null, 7, [], {}, { text: 1 }])('returns a sentence for %j', (stored) => {
    expect(toolkit.readResult('activate_skill', stored)).toEqual({
      text: 'This answer is gone. Call activate_skill again if you need it.',
      isError: true,
      files: [],
    });
  });
});
