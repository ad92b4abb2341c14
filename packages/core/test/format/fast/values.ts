// Makes values of every construct that is read without a YAML parser, most of them valid as written.

import fc from 'fast-check';

/** Lines of a value: the first follows a colon or a dash, the others are indented as they need to be below it. */
export type Value = readonly string[];

/** One of the texts of a list. */
export const oneOf = (list: string): fc.Arbitrary<string> => fc.constantFrom(...list.split('¦'));

/** Indents lines, except for empty ones. */
export const indent = (lines: readonly string[], by: string): string[] =>
  lines.map((line) => (line === '' ? line : by + line));

const concat = (...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.join(''));
const single = (text: fc.Arbitrary<string>): fc.Arbitrary<Value> => text.map((line) => [line]);

const text = fc.oneof(
  oneOf('word¦two words¦Use when: asked¦it’s¦技能¦🗺️ map¦“q”¦a:b¦C#¦- dash¦-x¦a, b¦[a]¦# no¦"q" a¦it\'s¦é¦$x¦.a¦*'),
  oneOf('1¦-1.5¦1e3¦0x1F¦true¦null¦~¦-.inf¦2026-01-01'),
);
const spaces = oneOf('¦¦¦ ¦   ');
const emptyLines = fc.array(oneOf('¦¦  '), { maxLength: 2 });
/** The spaces by which something is indented more. */
export const step: fc.Arbitrary<string> = oneOf(' ¦  ¦   ¦    ');

/** Lines that fold into one text, with empty ones among them; the first may be on the line below. */
function fold(line: fc.Arbitrary<string>): fc.Arbitrary<Value> {
  const more = fc.tuple(emptyLines, step, line, spaces).map(([empty, by, next, end]) => [...empty, by + next + end]);
  return fc
    .tuple(line, fc.array(more, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([first, rest, below]) => [...(below ? ['', `  ${first}`] : [first]), ...rest.flat()]);
}

const doublePiece = fc.oneof(
  oneOf('a¦b: c¦ ¦  ¦ # d¦\'¦🗺️¦[¦}¦-¦\t¦\\"¦\\\\¦\\n¦\\t¦\\/¦\\0¦\\ ¦\\_¦\\N¦\\L¦\\e'),
  oneOf('\\x41¦\\u00e9¦\\ud83d\\ude00¦\\U0001F600¦\\¦\\q¦\\u12¦\\Uffffffff'),
);
const doubleLine = fc.array(doublePiece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const singlePiece = oneOf("a¦b: c¦ ¦  ¦ # d¦\"¦''¦\\¦🗺️¦[¦}¦-¦\t");
const singleLine = fc.array(singlePiece, { maxLength: 4 }).map((pieces) => pieces.join(''));

function quote(lines: fc.Arbitrary<Value>, mark: string): fc.Arbitrary<Value> {
  return fc.tuple(lines, spaces).map(([value, end]) => {
    const first = value[0] === '' && value.length > 1 ? 1 : 0;
    const quoted = value.map((line, index) => (index === first ? line.replace(/^ */, (by) => by + mark) : line));
    return quoted.map((line, index) => (index === quoted.length - 1 ? line + mark + end : line));
  });
}

const { bracketed } = fc.letrec<{ bracketed: string; inner: string }>((tie) => {
  const gap = oneOf('¦¦ ¦\n¦\n  ¦\n\n    ');
  const comma = concat(gap, fc.constant(','), gap);
  const key = oneOf('a: ¦b c : ¦"d":¦"e" : ¦\'f\': ¦"g":\n  ¦h:\n  ');
  const fill = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(gap, fc.array(item, { minLength: 1, maxLength: 3 }), comma, oneOf('¦¦,'), gap)
      .map(([first, items, by, last, end]) => first + items.join(by) + last + end);
  return {
    bracketed: fc.oneof(
      fill(tie('inner')).map((items) => `[${items}]`),
      fill(concat(key, tie('inner'))).map((pairs) => `{${pairs}}`),
      oneOf('[]¦{}¦[ ]¦{\n}'),
    ),
    inner: fc.oneof(
      { maxDepth: 5 },
      oneOf('word¦two words¦a:b¦-1¦a"b¦C#¦1.0¦true¦~¦a/b¦技能¦<x>¦(y)¦.z¦🗺️¦$x¦=¦a?'),
      oneOf('"text"¦"a \\"b\\" \\u00e9"¦\'it\'\'s\'¦"x: y, [z]"¦"a\n  b"'),
      tie('bracketed'),
    ),
  };
});
const brackets: fc.Arbitrary<Value> = fc
  .tuple(bracketed, fc.boolean(), step)
  .map(([written, below, by]) => indent([...(below ? [''] : []), ...written.split('\n')], by))
  .map(([first = '', ...rest]) => [first.trimStart(), ...rest]);

const blockLine = concat(oneOf('¦¦¦  ¦ ¦\t'), fc.oneof(text, fc.constant('')), spaces);
const block: fc.Arbitrary<Value> = fc
  .tuple(
    oneOf('|¦>¦|-¦>-¦|+¦>+¦>  '),
    emptyLines,
    fc.array(blockLine, { minLength: 1, maxLength: 5 }),
    emptyLines,
    step,
  )
  .map(([header, before, lines, after, by]) => [header, ...before, ...indent(lines, by), ...after]);

/** Values by the construct that they are written in. */
export const values: ReadonlyMap<string, fc.Arbitrary<Value>> = new Map<string, fc.Arbitrary<Value>>([
  ['a plain text', single(text)],
  ['a plain text with spaces or tabs after it', single(concat(text, oneOf(' ¦\t¦ \t ')))],
  ['a plain text over several lines', fold(text)],
  ['a text in double quotes', quote(single(doubleLine), '"')],
  ['a text in double quotes over several lines', quote(fold(doubleLine), '"')],
  ['a text in single quotes', quote(single(singleLine), "'")],
  ['a text in single quotes over several lines', quote(fold(singleLine), "'")],
  ['a block of text', block],
  ['brackets', brackets],
  ['nothing', fc.constantFrom([''], [' '], ['', ''])],
  ['a comment', single(concat(oneOf('¦word¦"a"¦[a]¦1'), oneOf(' # why¦  #¦ # a: b¦\t# tab¦#none')))],
  [
    'a comment above what is below',
    fc.tuple(step, oneOf('a: b¦- a¦- a: b¦word¦[a]¦')).map(([by, value]) => ['', `${by}# why`, by + value]),
  ],
]);
