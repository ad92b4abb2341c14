import { describe, expect, it } from 'vitest';
import { isHeadless, isUnchanged, keyOf, listAgain } from '../../src/skill/listing.ts';
import type { KnownEntry, ListOptions, SkillEntry, SkillSource } from '../../src/skill/source.ts';
import { memorySource } from '../../src/sources/memory.ts';

const entry: SkillEntry = {
  directory: 'pdf',
  location: 'pdf/SKILL.md',
  identity: '/real/pdf',
  head: new Uint8Array(3),
  bytes: 3,
  stamp: '1',
};

describe('isUnchanged', () => {
  it.each<[string, KnownEntry | undefined, boolean]>([
    ['the same stamp and identity', { stamp: '1', identity: '/real/pdf' }, true],
    ['another stamp', { stamp: '2', identity: '/real/pdf' }, false],
    ['another identity', { stamp: '1', identity: '/real/old' }, false],
    ['no identity', { stamp: '1' }, false],
    ['no stamp', { identity: '/real/pdf' }, false],
    ['nothing', undefined, false],
  ])('compares an entry with %s', (_, known, expected) => {
    expect(isUnchanged(entry, known)).toBe(expected);
  });

  it('is false for an entry without a stamp', () => {
    const { stamp: _, ...own } = entry;
    expect(isUnchanged(own, own)).toBe(false);
  });
});

it('recognises an entry without its head, but not an empty file', () => {
  const head = new Uint8Array();
  expect([isHeadless(entry), isHeadless({ ...entry, head }), isHeadless({ ...entry, head, bytes: 0 })]).toEqual([
    ...[false, true, false],
  ]);
});

it('keeps entries of one directory from two sources apart', () => {
  expect([entry, { ...entry, origin: '0:' }, { ...entry, origin: '1:' }].map(keyOf)).toEqual(['pdf', '0:pdf', '1:pdf']);
});

describe('listAgain', () => {
  const headless = { ...entry, head: new Uint8Array() };

  async function askedWith(
    entries: readonly SkillEntry[],
    known: Parameters<typeof listAgain>[2],
  ): Promise<readonly (readonly string[])[]> {
    const asked: ListOptions[] = [];
    const source: SkillSource = {
      ...memorySource({}),
      list: async (options = {}) => {
        asked.push(options);
        return { entries, diagnostics: [] };
      },
    };
    await listAgain(source, {}, known);
    return asked.map((options) => [...(options.known?.keys() ?? [])]);
  }

  it('asks once with all that is known, and again without what was left out if that is there now', async () => {
    const known = new Map([['zip', { stamp: '1' }]]);
    const omitted = new Map([['pdf', entry]]);
    expect(await askedWith([], { entries: known })).toEqual([['zip']]);
    expect(await askedWith([entry], { entries: known, omitted })).toEqual([['zip', 'pdf']]);
    expect(await askedWith([headless], { entries: known, omitted })).toEqual([['zip', 'pdf'], ['zip']]);
  });

  it('does not ask again because of a source that never has heads', async () => {
    const { stamp: _, ...plain } = headless;
    expect(await askedWith([plain], { entries: new Map(), omitted: new Map([['pdf', entry]]) })).toEqual([['pdf']]);
  });
});
