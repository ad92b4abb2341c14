import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestNames, closestPaths } from '../../src/text/closest.ts';

const names = ['csv-report', 'csv-reports', 'pdf', 'pdf-forms', 'release-notes'];

describe('closestNames', () => {
  it.each([
    ['csv-reprot', ['csv-report', 'csv-reports']],
    ['CSV-REPORT', ['csv-report', 'csv-reports']],
    ['fdp', []],
    ['pfd', ['pdf']],
    ['pd', ['pdf']],
    ['release-note', ['release-notes']],
    ['something-else', []],
    ['', []],
    ['x'.repeat(65), []],
  ])('finds what %j could have meant', (word, expected) => {
    expect(closestNames(word, names)).toEqual(expected);
  });

  it('returns at most three, the closest first, equally close ones in order', () => {
    expect(closestNames('abcdef', ['abcdxx', 'abcdex', 'abcdey', 'abcdea', 'abcdef'])).toEqual([
      'abcdef',
      'abcdea',
      'abcdex',
    ]);
  });

  it('finds a name with a few edits, and no name that is quite different', () => {
    const letters = fc.stringMatching(/^[a-f]{12,40}$/);
    fc.assert(
      fc.property(letters, fc.nat(), fc.nat(), (name, drop, swap) => {
        const at = drop % name.length;
        const dropped = name.slice(0, at) + name.slice(at + 1);
        const place = swap % (dropped.length - 1);
        const pair = `${dropped[place + 1]}${dropped[place]}`;
        expect(closestNames(dropped.slice(0, place) + pair + dropped.slice(place + 2), [name])).toEqual([name]);
        expect(closestNames(name, ['z'.repeat(name.length)])).toEqual([]);
      }),
    );
  });
});

describe('closestPaths', () => {
  const paths = [
    'SKILL.md',
    'assets/logo.png',
    'docs/a/index.md',
    'docs/b/index.md',
    'docs/c/index.md',
    'docs/index.md',
    '.env',
  ];

  it.each([
    ['logo.png', ['assets/logo.png']],
    ['images/LOGO.PNG', ['assets/logo.png']],
    ['assets/log.png', ['assets/logo.png']],
    ['{baseDir}/assets/logo.png', ['assets/logo.png']],
    ['index.md', ['docs/a/index.md', 'docs/b/index.md', 'docs/c/index.md']],
    ['docs/index.md#use', ['docs/index.md', 'docs/a/index.md', 'docs/b/index.md']],
    ['skills/x/docs/c/index.md', ['docs/c/index.md', 'docs/a/index.md', 'docs/b/index.md']],
    ['../c/index.md:12-20', ['docs/c/index.md', 'docs/a/index.md', 'docs/b/index.md']],
    ['C:\\docs\\B\\Index.md', ['docs/b/index.md', 'docs/a/index.md', 'docs/c/index.md']],
    ['c/indxe.md', ['docs/c/index.md', 'docs/a/index.md', 'docs/b/index.md']],
    ['docs/', ['docs/a/index.md', 'docs/b/index.md', 'docs/c/index.md']],
    ['./docs/*.md', ['docs/a/index.md', 'docs/b/index.md', 'docs/c/index.md']],
    ['Docs/b', ['docs/b/index.md']],
    ['doc/', []],
    ['assets/logo', ['assets/logo.png']],
    ['logo.svg', ['assets/logo.png']],
    ['skill.MD', ['SKILL.md']],
    ['', []],
    ['.gitignore', []],
    ['#x', []],
    ['assets/other.txt', []],
  ])('finds what %j could have meant', (path, expected) => {
    expect(closestPaths(path, paths)).toEqual(expected);
  });

  it('finds a long name, and one whose characters are composed in another way', () => {
    const long = `docs/${'x'.repeat(100)}.md`;
    expect(closestPaths(`${'x'.repeat(100)}.md`, [long])).toEqual([long]);
    expect(closestPaths('caf\u00e9.md', ['docs/cafe\u0301.md'])).toEqual(['docs/cafe\u0301.md']);
  });
});
