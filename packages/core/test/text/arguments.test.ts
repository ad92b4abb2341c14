import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinArguments, splitArguments, substituteArguments } from '../../src/text/arguments.ts';

const put = (body: string, text: string, ...names: string[]): Promise<string> =>
  substituteArguments(body, { text, names });

describe('substituteArguments', () => {
  it.each([
    ['all of them', 'Do $ARGUMENTS.', 'a b', 'Do a b.'],
    ['one by its number, from 0', '$0, $1, $ARGUMENTS[1]', 'a "b c"', 'a, b c, b c'],
    ['one by its declared name', '$who and $what', 'a b', 'a and b'],
    ['nothing for a declared name without a value', '[$what]', 'a', '[]'],
    ['the name before a hyphen', '$who-like', 'a', 'a-like'],
    ['a declared name with a hyphen', '$issue-id', 'a b 7', '7'],
  ])('puts in %s', async (_, body, text, expected) => {
    expect(await put(body, text, 'who', 'what', 'issue-id')).toBe(expected);
  });

  it.each([
    '$5',
    '$HOME',
    '$ARGUMENTS_DIR',
    '$ARGUMENTSX',
    '$whom',
    '$1234',
    '$0.05',
    '$0,500',
    '$',
    '$$',
    '${'.concat('0}'),
    '!`date`',
    '$(date)',
  ])('leaves %s as it is', async (text) => {
    expect(await put(`$0 ${text}`, 'a', 'who')).toBe(`a ${text}`);
  });

  it('takes a backslash as the sign that the text itself is meant', async () => {
    expect(await put('\\$0 \\$ARGUMENTS \\$who \\$other $0', 'a', 'who')).toBe('$0 $ARGUMENTS $who \\$other a');
  });

  it('puts arguments behind a body that has no place for them', async () => {
    expect(await put('Body', 'a b')).toBe('Body\n\nARGUMENTS: a b');
    expect(await put('Body', '  ')).toBe('Body');
  });

  it('puts in what stands for arguments that are gone as a whole, and leaves numbers, which may be prices', async () => {
    const gone = '(given earlier in the conversation)';
    const putGone = (body: string) =>
      substituteArguments(body, { text: gone, names: ['who', 'what'], isForgotten: true });
    expect(await putGone('$who, $what and $ARGUMENTS')).toBe(`${gone}, ${gone} and ${gone}`);
    expect(await putGone('$0 for $5.')).toBe(`$0 for $5.\n\nARGUMENTS: ${gone}`);
  });

  it('takes names that are words of any language, and none from the prototype of an object', async () => {
    expect(await put('$größe $constructor $__proto__', '7', 'größe')).toBe('7 $constructor $__proto__');
  });

  it('never looks at a value again, whatever it holds', async () => {
    const hostile = fc.array(fc.constantFrom('$ARGUMENTS', '$0', '$who', '$&', "$'", '\\', '"', ' ', 'x'));
    await fc.assert(
      fc.asyncProperty(hostile, async (pieces) => {
        const text = pieces.join('');
        expect(await put('<$ARGUMENTS>', text, 'who')).toBe(`<${text}>`);
      }),
    );
  });

  it('finds each value that a number or a declared name can mean', async () => {
    const values = Array.from({ length: 1_200 }, (_, index) => `v${index}`);
    const names = values.map((_, index) => `n${index}`);
    expect(await put('$999 $n1199', values.join(' '), ...names)).toBe('v999 v1199');
    expect(await put('$999', values.join(' '))).toBe('v999');
  });

  it('fills in a million characters, and leaves further placeholders as they are', async () => {
    const half = 'x'.repeat(500_000);
    const filled = await put('$ARGUMENTS-$0-$who-$0', half, 'who');
    expect(filled === `${half}-${half}-$who-$0`).toBe(true);
  });

  it('finds each placeholder, wherever a long body is taken apart for turns of other work', async () => {
    for (const [unit, value] of [
      ['$0', 'x'],
      ['\\$0', '$0'],
      ['$who-', 'x-'],
      ['$ARGUMENTS[0]', 'x'],
    ] as const) {
      for (const lead of ['', 'a', 'ab', 'abc']) {
        expect((await put(`${lead}${unit.repeat(40_000)}$0`, 'x', 'who')) === `${lead}${value.repeat(40_000)}x`).toBe(
          true,
        );
      }
    }
  });
});

describe('splitArguments', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['a  b\n\tc', ['a', 'b', 'c']],
    ['"a b" \'c "d\' e"f g"h', ['a b', 'c "d', 'ef gh']],
    ['"" a', ['', 'a']],
    ['a "b c', ['a', 'b c']],
    ['it\'s "x"', ['its "x"']],
    ['“a b”c 27“ „e f“g', ['a bc', '27“', 'e fg']],
    ['「五月 末」営業部 don’t “a b', ['五月 末営業部', 'don’t', 'a b']],
  ])('splits %j', (text, values) => {
    expect(splitArguments(text)).toEqual(values);
  });

  it('splits no further than values are wanted', () => {
    expect(splitArguments('a "b c" d e', 3)).toEqual(['a', 'b c', 'd']);
  });

  it('returns what was joined', () => {
    const value = fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '\\', '\n', '“', '”', '„', '「', '」', '💙') });
    fc.assert(
      fc.property(fc.array(value), (values) => {
        expect(splitArguments(joinArguments([...values, 'end']))).toEqual([...values, 'end']);
      }),
    );
  });
});
