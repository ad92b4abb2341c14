// Makes frontmatter of every construct that is read without a YAML parser, valid as written and with random damage.

import fc from 'fast-check';

/** Lines of a value: the first stands behind a colon or a dash, the others are indented by what is given here or more. */
type Value = readonly string[];
/** Lines of a map or of a list, without the indentation that they have in common. */
type Block = readonly string[];

const indent = (lines: readonly string[], by: string): string[] =>
  lines.map((line) => (line === '' ? line : by + line));
const joined = (arbitrary: fc.Arbitrary<readonly string[]>, by = ''): fc.Arbitrary<string> =>
  arbitrary.map((parts) => parts.join(by));

const text = fc.constantFrom(
  ...[
    'word',
    'two words',
    'Use when: asked',
    'it’s',
    '技能',
    '🗺️ map',
    '“q”',
    'a:b',
    'C#',
    '- dash',
    '-x',
    'a, b',
    '[a]',
  ],
  ...[
    '1',
    '-1.5',
    '1e3',
    '0x1F',
    'true',
    'null',
    '~',
    '-.inf',
    '2026-01-01',
    '# no',
    '"q" a',
    "it's",
    'é',
    '$x',
    '.a',
    '*',
  ],
);
const blank = fc.constantFrom('', '', '', ' ', '   ');
const blankLines = fc.array(fc.constantFrom('', '', '  '), { maxLength: 2 });
const step = fc.constantFrom(' ', '  ', '   ', '    ');

/** Lines that fold into one text, with blank ones among them; each but the first is indented by itself. */
const folded = (line: fc.Arbitrary<string>): fc.Arbitrary<Value> =>
  fc
    .tuple(line, fc.array(fc.tuple(blankLines, step, line, blank), { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([first, more, begun]) => {
      const rest = more.flatMap(([blanks, by, next, end]) => [...blanks, by + next + end]);
      return begun ? [first, ...rest] : ['', `  ${first}`, ...rest];
    });

const doubleLine = joined(
  fc.array(
    fc.constantFrom(
      ...[
        'a',
        'b: c',
        ' ',
        '  ',
        ' # d',
        "'",
        '\\"',
        '\\\\',
        '\\n',
        '\\t',
        '\\/',
        '\\0',
        '\\ ',
        '\\_',
        '\\N',
        '\\L',
        '\\e',
        '\t',
      ],
      ...['\\x41', '\\u00e9', '\\ud83d\\ude00', '\\U0001F600', '\\', '🗺️', '[', '}', '-', '\\q', '\\u12', '\\Uffffffff'],
    ),
    { maxLength: 4 },
  ),
);
const singleLine = joined(
  fc.array(fc.constantFrom('a', 'b: c', ' ', '  ', ' # d', '"', "''", '\\', '🗺️', '[', '}', '-', '\t'), {
    maxLength: 4,
  }),
);

function quote(lines: fc.Arbitrary<Value>, mark: string): fc.Arbitrary<Value> {
  return fc.tuple(lines, blank).map(([value, end]) => {
    const first = value[0] === '' && value.length > 1 ? 1 : 0;
    const quoted = value.map((line, index) => (index === first ? line.replace(/^ */, (by) => by + mark) : line));
    return quoted.map((line, index) => (index === quoted.length - 1 ? line + mark + end : line));
  });
}

const { bracketed } = fc.letrec<{ bracketed: string; inner: string }>((tie) => {
  const gap = fc.constantFrom('', '', ' ', '\n', '\n  ', '\n\n    ');
  const comma = fc.tuple(gap, gap).map(([before, after]) => `${before},${after}`);
  const end = fc.tuple(fc.constantFrom('', '', ','), gap).map((parts) => parts.join(''));
  const key = fc.constantFrom('a: ', 'b c : ', '"d":', '"e" : ', "'f': ", '"g":\n  ', 'h:\n  ');
  const pair = fc.tuple(key, tie('inner')).map((parts) => parts.join(''));
  const fill = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .tuple(gap, fc.array(item, { minLength: 1, maxLength: 3 }), comma, end)
      .map(([first, items, by, last]) => first + items.join(by) + last);
  return {
    bracketed: fc.oneof(
      fill(tie('inner')).map((items) => `[${items}]`),
      fill(pair).map((pairs) => `{${pairs}}`),
      fc.constantFrom('[]', '{}', '[ ]', '{\n}'),
    ),
    inner: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(
        'word',
        'two words',
        'a:b',
        '-1',
        'a"b',
        'C#',
        '1.0',
        'true',
        '~',
        'a/b',
        '技能',
        '<x>',
        '(y)',
        '.z',
      ),
      fc.constantFrom('"text"', '"a \\"b\\" \\u00e9"', "'it''s'", '"x: y, [z]"', '"a\n  b"', '🗺️', '$x', '=', 'a?'),
      tie('bracketed'),
    ),
  };
});
const flow: fc.Arbitrary<Value> = fc
  .tuple(bracketed, fc.boolean(), step)
  .map(([written, below, by]) => indent([...(below ? [''] : []), ...written.split('\n')], by))
  .map(([first = '', ...rest]) => [first.trimStart(), ...rest]);

const block: fc.Arbitrary<Value> = fc
  .tuple(
    fc.constantFrom('|', '>', '|-', '>-', '|+', '>+', '>  '),
    blankLines,
    fc.array(fc.tuple(fc.constantFrom('', '', '', '  ', ' ', '\t'), fc.oneof(text, fc.constant('')), blank), {
      minLength: 1,
      maxLength: 5,
    }),
    blankLines,
    step,
  )
  .map(([header, before, lines, after, by]) => [
    header,
    ...before,
    ...indent(
      lines.map((parts) => parts.join('')),
      by,
    ),
    ...after,
  ]);

const word = fc.constantFrom('word', 'two words', '1.0', 'true', '"quoted"', '[a]', 'https://a.b/c');
const comment = fc.constantFrom(' # why', '  #', ' # a: b', '\t# tab', '#none');

/** A value of each construct. */
const values: ReadonlyMap<string, fc.Arbitrary<Value>> = new Map<string, fc.Arbitrary<Value>>([
  ['a plain text', text.map((value) => [value])],
  [
    'a plain text with blanks or tabs behind',
    fc.tuple(text, fc.constantFrom(' ', '\t', ' \t ')).map((parts) => [parts.join('')]),
  ],
  ['a plain text over several lines', folded(text)],
  [
    'a text in double quotes',
    quote(
      doubleLine.map((line) => [line]),
      '"',
    ),
  ],
  ['a text in double quotes over several lines', quote(folded(doubleLine), '"')],
  [
    'a text in single quotes',
    quote(
      singleLine.map((line) => [line]),
      "'",
    ),
  ],
  ['a text in single quotes over several lines', quote(folded(singleLine), "'")],
  ['a block of text', block],
  ['brackets', flow],
  ['nothing', fc.constantFrom([''], [' '], ['', ''])],
  ['a comment', fc.tuple(fc.constantFrom('', 'word', '"a"', '[a]', '1'), comment).map((parts) => [parts.join('')])],
  [
    'a comment above what is below',
    fc
      .tuple(step, fc.constantFrom('a: b', '- a', '- a: b', 'word', '[a]', ''))
      .map(([by, value]) => ['', `${by}# why`, by + value]),
  ],
]);

const key = fc.constantFrom(
  'a',
  'b',
  'name',
  'allowed-tools',
  '"q: k"',
  "'s'",
  'x.y',
  'two words',
  '1',
  'clé',
  'spaced ',
);
const simple = fc.tuple(key, word).map(([name, value]) => [`${name}: ${value}`]);
const simpleItem = word.map((value) => [`- ${value}`]);
const between = fc.constantFrom<Block>([], [], [], [''], ['# why'], ['  # deep'], ['', '  ']);

/** Puts a value into a map or a list, among others. */
function place(value: fc.Arbitrary<Value>, list: boolean): fc.Arbitrary<Block> {
  const head = list ? fc.constant('-') : key.map((name) => `${name}:`);
  const entry = fc
    .tuple(head, value)
    .map(([mark, [first = '', ...rest]]) => [first === '' ? mark : `${mark} ${first}`, ...rest]);
  const sibling = list ? simpleItem : simple;
  return fc
    .tuple(fc.array(sibling, { maxLength: 1 }), between, entry, between, fc.array(sibling, { maxLength: 1 }))
    .map(([before, gap, own, next, after]) => [...before.flat(), ...gap, ...own, ...next, ...after.flat()]);
}

/** Makes a value of a map or a list: on the lines below, or beginning behind the dash that it belongs to. */
function nest(blocks: fc.Arbitrary<Block>, inList: boolean, list: boolean): fc.Arbitrary<Value> {
  return fc
    .tuple(blocks, list && !inList ? fc.oneof(step, fc.constant('')) : step, fc.boolean())
    .map(([lines, by, compact]) => {
      if (!inList || !compact) return ['', ...indent(lines, by)];
      const [first = '', ...rest] = indent(lines, '  ');
      return [first.slice(2), ...rest];
    });
}

function wrap(value: fc.Arbitrary<Value>, lists: readonly boolean[]): fc.Arbitrary<Block> {
  const [inner = false, outer, ...more] = lists;
  const placed = place(value, inner);
  return outer === undefined ? placed : wrap(nest(placed, outer, inner), [outer, ...more]);
}

function frontmatterWith(value: fc.Arbitrary<Value>): fc.Arbitrary<string> {
  const nestings: readonly (readonly boolean[])[] = [
    [false],
    [false, false],
    [true, false],
    [false, true, false],
    [true, true, false],
  ];
  return fc
    .tuple(
      fc.oneof(...nestings.map((lists) => wrap(value, lists))),
      fc.array(between, { maxLength: 1 }),
      fc.constantFrom('', '', '', '', ' ', '  '),
      fc.constantFrom('\n', '\n', '', '\n\n'),
    )
    .map(([lines, before, by, end]) => indent([...before.flat(), ...lines], by).join('\n') + end);
}

/** Frontmatter with a value of each construct, in a map or in lists and maps in it. */
export const frontmatters: ReadonlyMap<string, fc.Arbitrary<string>> = new Map(
  [...values].map(([name, value]) => [name, frontmatterWith(value)]),
);

const piece = fc.constantFrom(
  ...[
    ' ',
    '  ',
    ': ',
    ':',
    ' #',
    '#',
    '- ',
    '-',
    '\n',
    '\n\n',
    '\n  ',
    '\t',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '\\',
    '|',
    '>',
    '&',
    '*',
  ],
  ...[
    '!',
    '%',
    '@',
    '`',
    '?',
    '~',
    '.',
    '---',
    '...',
    'a',
    'a: b',
    '- a',
    '# c',
    '>-\n',
    '🗺️',
    '\u00a0',
    '\u2028',
    '\u0007',
    '\ufeff',
  ],
);
const damage = fc.tuple(
  fc.nat(),
  fc.constantFrom('insert', 'delete', 'repeat line', 'drop line', 'indent', 'unindent'),
  piece,
);

/** Does something to a text at a place that is chosen by a number. */
function hurt(written: string, [at, kind, what]: readonly [number, string, string]): string {
  const index = at % (written.length + 1);
  if (kind === 'insert') return written.slice(0, index) + what + written.slice(index);
  if (kind === 'delete') return written.slice(0, index) + written.slice(index + 1);
  const lines = written.split('\n');
  const row = at % lines.length;
  const line = lines[row] ?? '';
  const changed = {
    'repeat line': [line, line],
    'drop line': [],
    indent: [` ${line}`],
    unindent: [line.replace(/^ /, '')],
  }[kind];
  return [...lines.slice(0, row), ...(changed ?? [line]), ...lines.slice(row + 1)].join('\n');
}

/** Texts of an arbitrary with one to three changes that may make them mean something else or nothing. */
export function damaged(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(texts, fc.array(damage, { minLength: 1, maxLength: 3 }))
    .map(([written, harms]) => harms.reduce(hurt, written));
}
