import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSection, outlineMarkdown, type Section } from '../../src/text/outline.ts';

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
const guide: readonly Section[] = [
  { level: 1, title: 'Guide', start: 1, end: 8 },
  { level: 2, title: 'Setup', start: 3, end: 6 },
  { level: 3, title: 'Linux', start: 5, end: 6 },
  { level: 2, title: 'Use', start: 7, end: 8 },
  { level: 1, title: 'Notes', start: 9, end: 12 },
  { level: 2, title: 'Setup', start: 10, end: 12 },
];
const titles = (markdown: string): readonly string[] => outlineMarkdown(markdown).map(({ title }) => title);

describe('outlineMarkdown', () => {
  it('gives each heading with the lines of its section', () => {
    expect(outlineMarkdown(text)).toEqual(guide);
  });

  it.each(['\r\n', '\r'])('finds the same sections where lines end with %j', (end) => {
    expect(outlineMarkdown(text.replaceAll('\n', end))).toEqual(guide);
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

  it('gives sections that hold each other or lie apart, whatever the text', () => {
    const line = fc.constantFrom('# a', '## b', '### c', '###### d', 'text', '', '```', '~~~');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const sections = outlineMarkdown(lines.join('\n'));
        for (const [index, { start, end, level }] of sections.entries()) {
          const next = sections.slice(index + 1).find((other) => other.level <= level);
          expect({ start, end }).toEqual({ start, end: (next?.start ?? Math.max(1, lines.length) + 1) - 1 });
        }
      }),
    );
  });

  it('takes time in proportion to the text', () => {
    const units = ['#\n', '# \n## \n### \n', '######\n', '# ', '#\u2028', '`', '```\n', ' ', '~', '#\r'];
    for (const unit of [...units, `#${' '.repeat(300_000)}\u2028`, `#${'#'.repeat(300_000)} x`]) {
      const start = performance.now();
      outlineMarkdown(unit.repeat(Math.ceil(400_000 / unit.length)));
      const slow = performance.now() - start > 2_000;
      expect({ unit: unit.slice(0, 12), slow }).toEqual({ unit: unit.slice(0, 12), slow: false });
    }
  });
});

describe('findSection', () => {
  it.each([
    ['a title', 'Use', 7],
    ['a title in another case, as a heading', '## use ##', 7],
    ['the first of two with the same title', 'Setup', 3],
    ['a part of a title that only one has', 'lin', 5],
  ])('finds %s', (_, wanted, start) => {
    expect(findSection(guide, wanted)?.start).toBe(start);
  });

  it.each([
    ['a part that several titles have', 'u'],
    ['no title', 'Nothing'],
    ['an empty title', ''],
  ])('finds nothing for %s', (_, wanted) => {
    expect(findSection(guide, wanted)).toBeUndefined();
  });
});
