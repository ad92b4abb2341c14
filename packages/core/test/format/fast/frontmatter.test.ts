import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFast } from '../../../src/format/fast/frontmatter.ts';
import { parseYaml } from '../../../src/format/frontmatter/yaml.ts';
import { compareReaders } from './slow.ts';

// SKILLFUL_FUZZ_RUNS makes a longer run.
const runs = Number(process.env.SKILLFUL_FUZZ_RUNS ?? 30_000);

// Pieces that have a meaning in YAML, near misses of them, and harmless text.
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('word', 'two words', 'name', 'description', 'Use when', '技能', 'é', '“q”') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...[
        ': ',
        ':',
        ' #',
        '#',
        '- ',
        '-',
        '---',
        '...',
        '? ',
        '? x',
        '! ',
        '!t',
        '&a',
        '*a',
        '|',
        '>',
        '|-',
        '>-',
        '>+',
      ],
      ...['"', "'", '\\', '\\n', "''", '[', ']', '{', '}', ', ', ',', '@', '`', '%', '~', '=', '<<', '\t', ' ', '  '],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        'null',
        'true',
        'FALSE',
        'yes',
        '1',
        '-1',
        '+.5',
        '1.10',
        '1e3',
        '1.e+3',
        '0x1F',
        '0o17',
        '012',
        '.inf',
        '.nan',
      ],
      ...[
        '1_000',
        '12:30',
        '2026-01-01',
        '1.2.3',
        '0xZ',
        '99999999999999999999999',
        '00',
        '-',
        '+',
        '.',
        '1.',
        '-.inf',
      ],
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 4, unit: 'binary' }).filter((text) => !/[\r\n]/.test(text)) },
);
const value = fc.oneof(
  { weight: 2, arbitrary: fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: piece },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('', 'a', 'text '), piece, fc.constantFrom('', ' b'))
      .map((parts) => parts.join('')),
  },
);
const key = fc.constantFrom(
  'name',
  'description',
  'a',
  'b',
  'metadata',
  'allowed-tools',
  'true',
  '1',
  'x y',
  '__proto__',
  '',
);
const space = fc.constantFrom('', ' ');
const { bracketed } = fc.letrec<{ bracketed: string; inner: string }>((tie) => ({
  bracketed: fc.oneof(
    fc
      .tuple(space, fc.array(tie('inner'), { maxLength: 3 }), fc.constantFrom(',', ', ', ' , '), space)
      .map(([before, items, comma, after]) => `[${before}${items.join(comma)}${after}]`),
    fc
      .tuple(
        space,
        fc.array(fc.tuple(fc.constantFrom('a: ', '"b":', '"c" : ', "'d': ", '"e": ', 'f:'), tie('inner')), {
          maxLength: 3,
        }),
        fc.constantFrom(',', ', '),
      )
      .map(([edge, pairs, comma]) => `{${edge}${pairs.map((pair) => pair.join('')).join(comma)}${edge}}`),
  ),
  inner: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(
      'word',
      'two words',
      '"text"',
      '"a \\"b\\" \\\\ \\n\\t\\/"',
      "'it''s'",
      '1',
      'true',
      '"x: y, [z]"',
      '"a"b',
      'a:b',
    ),
    tie('bracketed'),
  ),
}));
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(key, value).map(([left, right]) => `${left}: ${right}`) },
  { weight: 1, arbitrary: key.map((left) => `${left}:`) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('  ', ' ', '    ', '\t'), key, value).map(([i, l, r]) => `${i}${l}: ${r}`),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('  - ', '- ', '    - ', '  -'), value).map(([dash, r]) => dash + r),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('  ', '   ', ''), value).map(([indent, right]) => indent + right) },
  { weight: 1, arbitrary: fc.tuple(key, fc.constantFrom('|', '>', '|-', '>-', '>  ')).map(([l, r]) => `${l}: ${r}`) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '# comment') },
  {
    weight: 1,
    arbitrary: fc
      .tuple(key, fc.array(value, { maxLength: 3 }), fc.constantFrom(']', ' ]', ',]', ''))
      .map(([left, items, end]) => `${left}: [${items.join(', ')}${end}`),
  },
  { weight: 2, arbitrary: fc.tuple(key, bracketed).map(([left, right]) => `${left}: ${right}`) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('  ', '    ', '   '), key).map(([indent, left]) => `${indent}${left}:`),
  },
);
const frontmatter = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 5 }), fc.constantFrom('\n', '', '\n\n'))
  .map(([lines, end]) => lines.join('\n') + end);

describe('parseFast', () => {
  it('returns what the slow way returns, or nothing', { timeout: 120_000 }, () => {
    expect(compareReaders(frontmatter, runs).clean).toBeGreaterThan(runs / 40);
  });

  it.each([
    'name: pdf\ndescription: Reads PDF files.\nlicense: MIT\n',
    'name: "pdf"\ndescription: \'Reads PDF files: all of them.\'\n',
    'name: pdf\ndescription: x\nmetadata:\n  author: me\n  version: "1.0"\n',
    'name: pdf\ndescription: x\nallowed-tools:\n  - Read\n  - Bash(git add *)\nlicense: MIT\n',
    'name: pdf\nmetadata:\n  a:\n    b: c\n    d:\n      - e\n  f: g\ntags: [a, b c,1.0]\n',
    'name: pdf\ndescription: "Reads \\"PDF\\" files:\\n all of \\\\them.\\/"\nlicense: \'it\'\'s mine\'\n',
    'name: pdf\ntags: ["a b", \'c: d\', e-f ,{ a: b, "c": [true] }]  \nmetadata: {}\n',
  ])('reads the plainest: %j', (text) => {
    expect(parseFast(text, 2)).toEqual({ ...parseYaml(text, 2), repairs: [] });
  });

  it.each([
    'name: pdf\ndescription: Reads PDF files,\n  and writes them.\nlicense: "a\n  b"\n',
    'description:\n  Reads PDF files.\n\n  - Use for nothing.\n',
    'description:\n  "Reads\n    PDF files.  \n\n  All \\x41\\u00e9\\U0001F600.\n  "\nname: \'\n\n  a\'\n',
    'description: 🗺️ Reads.\nhint: -x\nversion: -.inf\nsize: +1e3\n',
  ])('reads texts over several lines and with symbols: %j', (text) => {
    expect(parseFast(text, 2)).toEqual({ ...parseYaml(text, 2), repairs: [] });
  });

  it.each([
    'name: pdf\ndescription: >-\n  Reads PDF files.\n  Use for PDF tasks.\n',
    'name: pdf\ndescription: |\n  Reads PDF files: all.\n  # Use for PDF tasks.\nlicense: MIT\n',
    'a: >\n\n  b\n\n    c\n   d\n\n\n  e\n  \n\nb: |+\n    c\n\n\nc: >+\n  d',
    'a:\n  - |-\n    b\n  - c: >\n      d\n\n',
  ])('reads blocks: %j', (text) => {
    expect(parseFast(text, 2)).toEqual({ ...parseYaml(text, 2), repairs: [] });
  });

  it.each([
    'name: pdf\nmetadata: {"openclaw":{"emoji":"🗺️","requires":{"bins":["curl","jq"],"env":[]}, "n": 1 }}\n',
    'metadata:\n  {\n    "a":\n      { "b": [[[[[c,],],],],] },\n\n    d: "e\n      f",\n  }\n',
    'metadata: {\n  a: [\n    b\n  ]\n}\nname: [\n]  # none\n',
    'a:\n  - [b]\n  - { c: d,\n    e: f }\n',
  ])('reads brackets: %j', (text) => {
    expect(parseFast(text, 2)).toEqual({ ...parseYaml(text, 2), repairs: [] });
  });

  it.each([
    'hooks:\n- a: b\n  c:\n  - d\n  -   e: f\n      g: h\n-\n  i: j\n- - k\n  - - l\n- [m]\n',
    'install:\n  # how\n  - id: brew\n    # what\n    kind: brew\n  # or\n  - id: apt\n# end\nname: x\n',
    ' name: a # b\n description:   # c\n\n metadata:\n   "q: k":  1\n   two words : 2\n   x.y:\n \n',
    '# comment\nname: a\nmetadata:\n',
  ])('reads maps and lists in each other, with comments and nothing in them: %j', (text) => {
    expect(parseFast(text, 2)).toEqual({ ...parseYaml(text, 2), repairs: [] });
  });

  it.each([
    'name: a\nname: b\nname:\n  c: d\n',
    'a:\n  b:\n    - c: 1\n      c:\n        d: 2\n        d: 3\n  b: 4\n',
    'a: 1\n"a": 2\na b:\n  "c d": 1\n  c d: 2\n',
  ])('reads the first of several entries with the same key: %j', (text) => {
    const read = parseFast(text, 2);
    expect(read?.notes).not.toEqual([]);
    expect(read).toEqual({ ...parseYaml(text, 2), repairs: [] });
  });

  it.each(['name: a\ufeff', 'name: \ufeff| a\ndescription: "\ufeff"\n', 'a\ufeff: b\n'])(
    'reads a byte order mark inside a line as text: %j',
    (text) => {
      expect(parseFast(text, 2)).toEqual({ ...parseYaml(text, 2), repairs: [] });
    },
  );

  it.each([
    'name: [a: b]',
    'name: &a b',
    'name: *a',
    'name: !a b',
    'name: ? b',
    'name: a\u0007',
    '\ufeffname: a',
    '# a\n\ufeffname: b',
    'name: "a\\q"',
    'name: "a\\U00110000"',
    'name: "a\\\n\n  b"',
    'name: "a\nb"',
    'name: [a\n  b]',
    'name: [a,,b]',
    'name: [,]',
    'name: [a,\nb]',
    'name: {\n  a: [\n  b\n]}',
    'name: [a, # b\n  c]',
    'name: {a: 1, a: 2}',
    'name: {a}',
    '"": a',
    'name: {a: }',
    'name: {"a"\n  : b}',
    'name: a\n  # b',
    'name: a\n\tb',
    'name: a # b\n  c',
    'name:\n  # b\n  c',
    'name:\n  a\n b: c',
    'name:\n# b\ndescription: c',
    'name: "a\\\n  b"',
    'name: |2\n  a',
    'name: |\na: b',
    'name: |\n   \n  a',
    'tags:\n  - a\n  # b\n  -\n  - c',
    'tags:\n  - a\n - b',
    '- a',
    'a',
    '--- a: b',
    '',
    '# comment',
  ])('leaves %j to `yaml`', (text) => {
    expect(parseFast(text, 2)).toBeUndefined();
  });

  it('leaves more levels and keys than are allowed to `yaml`, and reads as many', () => {
    const nested = (levels: number) =>
      Array.from({ length: levels }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
    const wide = (keys: number) => Array.from({ length: keys }, (_, index) => `k${index}:\n`).join('');
    const bracketed = (levels: number) => `a: ${'['.repeat(levels)}${']'.repeat(levels)}`;
    const dashed = (levels: number) => `a:\n${'- '.repeat(levels)}b`;
    for (const text of [nested(16), wide(256), bracketed(15), dashed(15)]) {
      expect(parseFast(text, 2)).toEqual({ ...parseYaml(text, 2), repairs: [] });
    }
    for (const text of [nested(17), wide(257), bracketed(16), dashed(16)]) {
      expect(parseYaml(text, 2)).toHaveProperty('problem');
      expect(parseFast(text, 2)).toBeUndefined();
    }
  });

  it.each([`a: "${'&'.repeat(1024)}"`, `${'a'.repeat(1025)}: b`, `"${'a'.repeat(1025)}": b`])(
    'leaves structure beyond the limits of the YAML path to it',
    (text) => {
      expect(parseFast(text, 2)).toBeUndefined();
    },
  );
});
