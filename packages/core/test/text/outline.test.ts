import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSection, type Heading, parseHeadings } from '../../src/text/outline.ts';

const text = [
  '# Guide',
  'intro',
  '## Setup',
  'a',
  '### Linux',
  'b',
  '## Use',
  'c',
  '# Notes',
  '## Setup',
  'd',
  '',
].join('\n');
const guide: readonly Heading[] = [
  { level: 1, title: 'Guide', start: 1 },
  { level: 2, title: 'Setup', start: 3 },
  { level: 3, title: 'Linux', start: 5 },
  { level: 2, title: 'Use', start: 7 },
  { level: 1, title: 'Notes', start: 9 },
  { level: 2, title: 'Setup', start: 10 },
];

function headings(markdown: string): readonly Heading[] {
  return [...parseHeadings(markdown)].filter((heading) => typeof heading !== 'number');
}

const titles = (markdown: string): readonly string[] => headings(markdown).map(({ title }) => title);
const find = (markdown: string, title: string) => findSection(markdown, title, () => undefined);

describe('parseHeadings', () => {
  it('gives each heading with its line', () => {
    expect(headings(text)).toEqual(guide);
  });

  it.each(['\r\n', '\r'])('finds the same headings if lines end with %j', (end) => {
    expect(headings(text.replaceAll('\n', end))).toEqual(guide);
  });

  it('takes no line of fenced code for a heading', () => {
    expect(titles('```sh\n# a\n``\n# b\n````\n# C\n~~~\n```\n# d\n~~~\n# E\n```open\n# f')).toEqual(['C', 'E']);
  });

  it('takes code within a line for no fence', () => {
    expect(titles('```code``` in a line\n# A')).toEqual(['A']);
  });

  it('reads titles without the marks of a heading', () => {
    expect(titles('# A #\n## B ##  \n#\n# C#\n#\tD\n#no\n####### no\n    # code\n   # E\n# # #')).toEqual([
      'A',
      'B',
      '',
      'C#',
      'D',
      'E',
      '',
    ]);
  });

  it('shows no invisible characters', () => {
    expect(titles('# Se\u200bt\u{e0041}up')).toEqual(['Setup']);
  });
});

describe('findSection', () => {
  it('takes the anchor of a word with signs for no title, because `C` is not `C++`', async () => {
    expect((await find('# C++\na\n# C\nb', 'c')).section).toEqual({ level: 1, title: 'C', start: 3, end: 4 });
  });

  it.each([
    ['# 「経費」\n# 経費', '経費', 2],
    ['# Größe:\n# Größe', 'größe', 2],
    ['# C♯\n# C', 'c', 2],
    ['# 🎉\n# A', '', undefined],
  ])('prefers a title in %j to an anchor', async (text, wanted, start) => {
    expect((await find(text, wanted)).section?.start).toBe(start);
  });

  it('compares the first 200 characters of titles, because a file may have one of megabytes', async () => {
    const title = 'x'.repeat(300);
    expect((await find(`# ${title}`, `${'x'.repeat(200)}y`)).section?.start).toBe(1);
    expect((await find(`# ${title}`, `${'x'.repeat(199)}y`)).section).toBeUndefined();
  });

  it.each([
    ['设定方法（初期）', '设定方法初期'],
    ['「経費」の申請', '経費の申請'],
    ['Größe & Maße'.normalize('NFD'), 'größe--maße'],
    ['🚀Start', 'start'],
  ])('finds %j by the anchor in a link', async (title, anchor) => {
    expect((await find(`# Guide\n# ${title}`, anchor)).section?.start).toBe(2);
  });

  it.each([
    ['a title', 'Use', 7],
    ['a title in another case, as a heading', '## use ##', 7],
    ['the first of two with the same title', 'Setup', 3],
    ['a part of a title that only one has', 'lin', 5],
  ])('finds %s', async (_, wanted, start) => {
    expect((await find(text, wanted)).section?.start).toBe(start);
  });

  it.each([
    ['a part that several titles have', 'u'],
    ['no title', 'Nothing'],
    ['an empty title', ''],
  ])('finds only the other headings for %s', async (_, wanted) => {
    expect(await find(text, wanted)).toEqual({ total: 6, first: guide });
  });

  it('ends a section before the next heading of its level or a higher one, whatever the text', async () => {
    const line = fc.constantFrom('# a', '## b', '### c', '###### d', 'text', '', '```', '~~~');
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.constantFrom('a', 'b', 'c', 'd'), async (lines, wanted) => {
        const all = headings(lines.join('\n'));
        const at = all.findIndex(({ title }) => title === wanted);
        const next = all.slice(at + 1).find(({ level }) => level <= (all[at]?.level ?? 0));
        const { section } = await find(lines.join('\n'), wanted);
        expect(section?.end).toEqual(at === -1 ? undefined : (next?.start ?? Math.max(1, lines.length) + 1) - 1);
      }),
    );
  });
});
