import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMark, writeActivation, writeEnding, writePointer } from '../../src/disclosure/marks.ts';

const short = '01234567';
const activation = (given = '') => writeActivation('pdf', `sha256:${short}${'0'.repeat(56)}`, given, ['Body.']);

it('parses each mark as what was written, and no other', () => {
  const texts = [activation(), writePointer('pdf', short), writeEnding('pdf')];
  const parsers = (['activation', 'pointer', 'ending'] as const).map((mark) => (text: string) => parseMark(mark, text));
  expect(texts.map((text) => parsers.map((parse) => parse(`${text}\nMore.`)))).toEqual([
    [{ name: 'pdf', digest: short }, undefined, undefined],
    [undefined, { name: 'pdf', digest: short }, undefined],
    [undefined, undefined, { name: 'pdf', digest: undefined }],
  ]);
  expect(parsers.map((parse) => texts.map((text) => parse(` ${text}`)))).toEqual(
    parsers.map(() => texts.map(() => undefined)),
  );
});

describe('the arguments of an activation', () => {
  it('are parsed from the first line, whatever they contain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), (given) => {
        const text = activation(given);
        expect(text.split('\n')[0]).toMatch(/^<skill_content name="pdf" digest="[^"]+" arguments="[^"<>\n]+">$/);
        expect(parseMark('activation', text)).toEqual({ name: 'pdf', digest: short, arguments: given });
      }),
    );
  });

  it('are said to be given earlier if they are too long for a first line', () => {
    expect(parseMark('activation', activation('x'.repeat(2_000)))?.arguments?.length).toBe(2_000);
    for (const tooLong of ['x'.repeat(2_001), '"'.repeat(500)])
      expect(activation(tooLong)).toBe(activation('(given earlier in the conversation)'));
  });

  it('are ignored if they cannot be parsed', () => {
    const text = activation('a').replace('arguments="a"', 'arguments="\\u00"');
    expect(parseMark('activation', text)).toEqual({ name: 'pdf', digest: short });
  });
});
