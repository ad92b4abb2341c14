import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isForeignLookAlike, isPlainScript, lookKey } from '../../src/text/look-alikes.ts';

describe('lookKey', () => {
  it.each([
    ['another case', 'PDF'],
    ['full-width letters', '\uff50\uff44\uff46'],
    ['mathematical letters', '\u{1d4f9}\u{1d4ed}\u{1d4ef}'],
    ['a joiner', 'p\u200ddf'],
    ['a zero-width space', 'pd\u200bf'],
    ['selectors', 'p\ufe0e\u{e0101}df'],
    ['a soft hyphen', 'pd\u00adf'],
    ['a grapheme joiner', 'p\u034fdf'],
    ['a tag character', 'pdf\u{e0041}'],
    ['an empty Braille cell', 'pdf\u2800'],
    ['a change of direction', '\u202dpdf\u202c'],
    ['Cyrillic letters', '\u0440\u0501f'],
    ['Greek letters', '\u03c1d\u03dd'],
    ['Cherokee letters', '\u13e2\u13a0f'.replace('\u13a0', 'd')],
    ['Lisu letters', '\ua4d1\ua4d3\ua4dd'],
    ['a sign of APL', '\u2374df'],
    ['spaces around it', '\u00a0 pdf\u3000'],
  ])('is the same for %s', (_, text) => {
    expect(lookKey(text)).toBe('pdf');
  });

  it.each([
    ['two spaces', 'my  pdf', 'my pdf'],
    ['spaces of another kind', 'my\u00a0\u2003pdf', 'my pdf'],
    ['hyphens of another kind', 'git\u2010hub\u2212x\u2013y', 'git-hub-x-y'],
    ['a full-width colon', 'user\uff1apdf', 'user:pdf'],
    ['a ratio sign', 'user\u2236pdf', 'user:pdf'],
    ['a division slash', 'lint\u2215deploy', 'lint/deploy'],
    ['a Cyrillic word in capital letters', '\u0412\u0410\u0422', 'bat'],
    ['the same word in small letters', '\u0432\u0430\u0442', 'bat'],
    ['a sharp s', 'stra\u00dfe', 'strasse'],
    ['a dotted capital', '\u0130d', 'id'],
    ['a dotless letter', '\u0131d', 'id'],
    ['signs of mathematics', '\u00d7ml \u222arl', 'xml url'],
  ])('sees through %s', (_, text, key) => {
    expect(lookKey(text)).toBe(key);
  });

  it.each([
    ['goog1e', 'google'],
    ['pdf', 'pdf-2'],
    ['resume', 'r\u00e9sum\u00e9'],
    ['modem', 'modern'],
  ])('tells %s and %s apart', (one, other) => {
    expect(lookKey(one)).not.toBe(lookKey(other));
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => lookKey(lookKey(text)) === lookKey(text)),
    );
  });
});

it('knows the letters of other alphabets that look Latin', () => {
  expect(
    ['\u0430', '\u03bf', '\u13a0', 'a', '\u0131', '\u00e9', '\u0436', '\u2010'].filter(isForeignLookAlike),
  ).toEqual(['\u0430', '\u03bf']);
});

it('takes no character for plain that looks like another, is invisible or has another form', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  const plain = units.filter((unit) => unit > '~' && isPlainScript(unit));
  const forms = (unit: string) => [unit.normalize('NFKC'), unit.toUpperCase(), unit.toLowerCase()];
  const odd = plain.filter(
    (unit) => isForeignLookAlike(unit) || !/\p{L}/u.test(unit) || forms(unit).join() !== [unit, unit, unit].join(),
  );
  expect(plain.length).toBeGreaterThan(30_000);
  expect(odd).toEqual([]);
});
