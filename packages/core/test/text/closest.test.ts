import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closestNames } from '../../src/text/closest.ts';

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
