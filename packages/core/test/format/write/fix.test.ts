import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSkill } from '../../../src/format/parse.ts';
import { fixSkill } from '../../../src/format/write/fix.ts';
import type { SkillProperties } from '../../../src/skill/skill.ts';

const file = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\n\n# PDF\n`;
const minimal = ['name: pdf', 'description: x'];

function fix(
  text: string,
  profile: 'strict' | 'portable' = 'strict',
): { text: string; fixed: string[]; left: string[] } {
  const result = fixSkill(text, { directoryName: 'pdf', profile });
  const codes = (list: typeof result.left): string[] => list.map(({ code }) => code);
  return { text: result.text, fixed: codes(result.fixed), left: codes(result.left) };
}

/** What a skill says, with the fields and the name as they should be written, and with unknown fields below `metadata`. */
function meaning(properties: SkillProperties | undefined) {
  if (properties === undefined) return undefined;
  const texts = Object.entries(properties.extensions).map(([key, value]) => {
    return [key, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  const metadata = { ...properties.metadata, ...Object.fromEntries(texts) };
  const { allowedToolsMisspelt: _, ...others } = properties;
  return { ...others, name: properties.name.toLowerCase(), extensions: {}, metadata };
}

describe('fixSkill', () => {
  it.each([
    ['byte-order-mark', `\ufeff${file(...minimal)}`, file(...minimal)],
    ['leading-blank-lines', `\n \n${file(...minimal)}`, file(...minimal)],
    ['line-ends-cr', file(...minimal).replaceAll('\n', '\r'), file(...minimal)],
    ['fence-trailing-space', file(...minimal).replace('---', '---  '), file(...minimal)],
    ['fence-close-assumed', '---\nname: pdf\ndescription: x\n# PDF\n', '---\nname: pdf\ndescription: x\n---\n# PDF\n'],
    [
      'fence-close-assumed',
      '---\nname: pdf\ndescription: x\n---# PDF\n',
      '---\nname: pdf\ndescription: x\n---\n# PDF\n',
    ],
    ['fence-open-assumed', file(...minimal).slice(4), file(...minimal)],
    ['frontmatter-in-code-fence', `\`\`\`md\n${file(...minimal)}\`\`\`\n`, file(...minimal)],
    ['frontmatter-in-code-fence', `\n\`\`\`md\n\n${file(...minimal)}\`\`\`\n`, file(...minimal)],
    ['value-unquoted', file('name: pdf', 'description: a: b'), file('name: pdf', 'description: "a: b"')],
    ['value-unquoted', file('name: pdf', 'description: a:', '  b: c'), file('name: pdf', 'description: "a: b: c"')],
    ['value-misquoted', file('name: pdf', 'description: "a "b" c"'), file('name: pdf', 'description: "a \\"b\\" c"')],
    ['value-misquoted', file('name: pdf', 'description: "a', 'b', 'c"'), file('name: pdf', 'description: "a b c"')],
    [
      'value-unquoted',
      file('name: pdf', 'description: a', '  b', '  c: d'),
      file('name: pdf', 'description: "a b c: d"'),
    ],
    [
      'value-misquoted',
      file('name: pdf', 'description: "a "b"', '  # c"'),
      file('name: pdf', 'description: "a \\"b\\" # c"'),
    ],
    ['block-header-text', file('name: pdf', 'description: | a', '  b'), file('name: pdf', 'description: "a\\nb"')],
    ['tab-indentation', file(...minimal, 'metadata:', '\ta: b'), file(...minimal, 'metadata:', '  a: b')],
    [
      'tab-indentation',
      file('name: pdf', 'description: |', '  x', '\t'),
      file('name: pdf', 'description: |', '  x', '  '),
    ],
    ['colon-space-missing', file('name:pdf', 'description: x'), file(...minimal)],
    [
      'metadata-not-string',
      file(...minimal, 'metadata:', '  v: 1.10 # c'),
      file(...minimal, 'metadata:', '  v: "1.10" # c'),
    ],
    ['metadata-not-string', file(...minimal, 'metadata: { v: 1.10 }'), file(...minimal, 'metadata: { v: "1.10" }')],
    ['name-missing', file('# comment', 'description: x'), file('name: pdf', '# comment', 'description: x')],
    ['name-empty', file('name: ""', 'description: x'), file(...minimal)],
    ['compatibility-empty', file(...minimal, 'compatibility:', 'license: MIT'), file(...minimal, 'license: MIT')],
    ['allowed-tools-spelling', file(...minimal, 'allowed_tools: Read'), file(...minimal, 'allowed-tools: Read')],
    ['allowed-tools-spelling', file(...minimal, 'allowed tools: Read'), file(...minimal, 'allowed-tools: Read')],
    ['allowed-tools-spelling', file(...minimal, '"allowedTools": Read'), file(...minimal, 'allowed-tools: Read')],
    [
      'allowed-tools-comma',
      file(...minimal, 'allowed-tools: Read, Write # c'),
      file(...minimal, 'allowed-tools: Read Write # c'),
    ],
    [
      'allowed-tools-comma',
      file(...minimal, 'allowed-tools: "Read,Write"'),
      file(...minimal, 'allowed-tools: "Read Write"'),
    ],
    [
      'allowed-tools-list',
      file(...minimal, 'allowed-tools:', '  - Read', '  - Bash(a *)'),
      file(...minimal, 'allowed-tools: Read Bash(a *)'),
    ],
    [
      'allowed-tools-comma',
      file(...minimal, 'allowed-tools: Read,', '  Write'),
      file(...minimal, 'allowed-tools: Read Write'),
    ],
    [
      'allowed-tools-comma',
      file(...minimal, 'allowed-tools: >-', '  Read,', '  Write', '', 'license: MIT'),
      file(...minimal, 'allowed-tools: Read Write', '', 'license: MIT'),
    ],
    [
      'allowed-tools-list',
      file(...minimal, 'allowed-tools: [Read, Write]'),
      file(...minimal, 'allowed-tools: Read Write'),
    ],
    [
      'allowed-tools-list',
      file(...minimal, 'allowed-tools: [', '  Read,', '  Write', ']', '', '# why', 'license: MIT'),
      file(...minimal, 'allowed-tools: Read Write', '', '# why', 'license: MIT'),
    ],
  ])('fixes %s', (code, before, after) => {
    expect(fix(before)).toEqual({ text: after, fixed: [code], left: [] });
  });

  it.each([
    ['name-uppercase', file('name: PDF # why', 'description: x'), file('name: pdf # why', 'description: x')],
    ['name-characters', file('name: "p d f"', 'description: x'), file('name: "p-d-f"', 'description: x'), 'p-d-f'],
    ['name-hyphen-edge', file("name: 'pdf-'", 'description: x'), file("name: 'pdf'", 'description: x')],
    ['name-hyphen-double', file('name: p--f', 'description: x'), file('name: p-f', 'description: x'), 'p-f'],
    ['name-uppercase', file('name: 0X1', 'description: x'), file('name: "0x1"', 'description: x'), '0x1'],
    ['name-characters', file('name: 1_2', 'description: x'), file('name: "1-2"', 'description: x'), '1-2'],
  ])('fixes %s without a guess', (code, before, after, directoryName = 'pdf') => {
    const { text, fixed, left } = fixSkill(before, { directoryName, profile: 'strict' });
    expect({ text, fixed: fixed.map((each) => each.code), left }).toEqual({ text: after, fixed: [code], left: [] });
  });

  it.each([
    ['metadata:', '    a:', '      - 1.10', '      - b: "c"'],
    ['metadata: {a: {b: 1}, "c d": e}', 'license: MIT'],
  ])('leaves what is nested below `metadata`, because other clients read it so: %j', (...lines) => {
    const before = file(...minimal, ...lines);
    expect(fixSkill(before, { directoryName: 'pdf', profile: 'strict' })).toMatchObject({ text: before, fixed: [] });
  });

  it.each([
    [
      [...minimal, 'version: 1.10', 'license: MIT'],
      [...minimal, 'metadata:', '  version: "1.10"', 'license: MIT'],
    ],
    [
      ['version: 1.10', '', ...minimal, 'metadata:', '   a: "b"', 'tags:', '  - x', '  - y: z', 'license: MIT'],
      [
        '',
        ...minimal,
        'metadata:',
        '   a: "b"',
        '   version: "1.10"',
        '   tags: "[\\"x\\",{\\"y\\":\\"z\\"}]"',
        'license: MIT',
      ],
    ],
    [
      [...minimal, 'author: |', '  me', '', '# why', 'license: MIT'],
      [...minimal, 'metadata:', '  author: "me\\n"', '', '# why', 'license: MIT'],
    ],
    [
      [...minimal, 'metadata: {a: "b"}', 'author: |', '  me', '  you'],
      [...minimal, 'metadata:', '  a: "b"', '  author: "me\\nyou\\n"'],
    ],
    [
      [...minimal, 'build:', '  versions: [1.10, 007, 0x1F, -2e3, .nan]', '  id: 9007199254740993', '  draft: true'],
      [
        ...minimal,
        'metadata:',
        '  build: "{\\"versions\\":[1.10,\\"007\\",\\"0x1F\\",-2e3,\\".nan\\"],\\"id\\":9007199254740993,\\"draft\\":true}"',
      ],
    ],
    [
      [...minimal.map((line) => ` ${line}`), ' tags:'],
      [...minimal.map((line) => ` ${line}`), ' metadata:', '   tags: ""'],
    ],
  ])('moves unknown fields below `metadata` where the profile refuses them: %j', (before, after) => {
    const moved = fix(file(...before), 'portable');
    expect({ text: moved.text, left: moved.left }).toEqual({ text: file(...after), left: [] });
    expect(fix(file(...before)).text).not.toBe(file(...after));
    const options = { directoryName: 'pdf' };
    expect(parseSkill(moved.text, options).properties).toMatchObject({ extensions: {} });
  });

  it.each([
    ['a name that would differ from its directory', file('name: PDF', 'description: x'), ['name-uppercase'], 'PDF'],
    ['a name with other words than its directory', file('name: P D F', 'description: x'), undefined, 'pdf'],
    [
      'a field that `metadata` has already',
      file(...minimal, 'a: b', 'metadata:', '  a: "c"'),
      ['field-unknown'],
      'pdf',
    ],
    ['a field with a comment', file(...minimal, 'a: b # why'), ['field-unknown'], 'pdf'],
    [
      'a broken value with a comment in it',
      file('name: pdf', 'description: a: b', '  # why', '  c'),
      ['value-unquoted'],
      'pdf',
    ],
    [
      'a broken value below a comment',
      file('name: pdf', 'description: # why', '  *a* b', 'license: #why', '  "x" y'),
      ['value-unquoted', 'value-misquoted'],
      'pdf',
    ],
    [
      'a broken value in quotes below a comment',
      file('name: pdf', 'description:', '# why', '  "x" y'),
      ['value-misquoted'],
      'pdf',
    ],
    ['a field that restricts the skill', file(...minimal, 'user_invocable: false'), undefined, 'pdf'],
    ['a map with a switch in it', file(...minimal, 'a:', '  user-invocable: false'), undefined, 'pdf'],
    ['a field beside `metadata` that is a list', file(...minimal, 'a: b', 'metadata:', '  - c'), undefined, 'pdf'],
    ['a field with a key twice', file(...minimal, 'a:', '  b: c', '  b: d'), ['field-unknown', 'key-duplicate'], 'pdf'],
    [
      'a field that is given twice and has another alphabet',
      file(...minimal, 'a: b', 'ключ: c', 'a: d', 'ключ: e'),
      ['field-unknown', 'field-unknown', 'key-duplicate', 'key-duplicate'],
      'pdf',
    ],
  ])('leaves %s as it is', (_title, text, codes, directoryName) => {
    const result = fixSkill(text, { directoryName, profile: 'portable' });
    expect({ text: result.text, fixed: result.fixed }).toEqual({ text, fixed: [] });
    if (codes !== undefined) expect(result.left.map(({ code }) => code)).toEqual(codes);
  });

  it('fixes broken values below a key that are indented with tabs', () => {
    const before = file(...minimal, 'metadata:', '\ta: b: c', '\td: 1.10');
    const fixed = ['tab-indentation', 'value-unquoted', 'metadata-not-string'];
    const after = file(...minimal, 'metadata:', '  a: "b: c"', '  d: "1.10"');
    expect(fix(before)).toEqual({ text: after, fixed, left: [] });
  });

  it('fixes fields that are all indented', () => {
    const before = file('  description: x', '  compatibility: ""', '  allowed_tools:', '    - Read');
    const fixed = ['name-missing', 'compatibility-empty', 'allowed-tools-spelling', 'allowed-tools-list'];
    const { text, fixed: done, left } = fix(before);
    const after = file('  name: pdf', '  description: x', '  allowed-tools: Read');
    expect({ text, done: done.toSorted(), left }).toEqual({ text: after, done: fixed.toSorted(), left: [] });
  });

  it('moves a field below `metadata` although the body has a line `metadata:`', () => {
    const { text, fixed } = fix(`${file(...minimal, 'a: b')}metadata: x\n`, 'portable');
    const moved = `${file(...minimal, 'metadata:', '  a: "b"')}metadata: x\n`;
    expect({ text, fixed }).toEqual({ text: moved, fixed: ['field-unknown'] });
  });

  it.each([
    [
      'is a duplicate',
      ['license: MIT', 'a: b', 'license: "MIT"'],
      ['license: MIT', 'metadata:', '  a: "b"', 'license: "MIT"'],
    ],
    ['cannot be read', ['a: b', 'c:', '  - d', '  e: f'], ['metadata:', '  a: "b"', 'c:', '  - d', '  e: f']],
    [
      'may not ask for tools',
      ['c: [', 'a: b', 'allowed-tools: Bash'],
      ['c: [', 'metadata:', '  a: "b"', 'allowed-tools: Bash'],
    ],
  ])('keeps a field that %s below one that it moves', (_title, before, after) => {
    expect(fix(file(...minimal, ...before), 'portable').text).toBe(file(...minimal, ...after));
  });

  it('adds a fence with the line ends that the other lines get', () => {
    const { text } = fix(
      file(...minimal)
        .slice(4)
        .replaceAll('\n', '\r'),
    );
    expect(text).toBe(file(...minimal));
  });

  it('fixes a file with as many mistakes as it can have in a few steps', () => {
    const broken = Array.from({ length: 250 }, (_, index) => `field${index}: a: b`);
    const { fixed, left } = fix(file(...minimal, ...broken), 'portable');
    const moved = 64;
    expect({ fixed: new Set(fixed), count: fixed.length, left }).toEqual({
      fixed: new Set(['field-unknown', 'value-unquoted']),
      count: broken.length,
      left: Array.from({ length: broken.length - moved }, () => 'field-unknown'),
    });
  });

  it('puts quotes around what the portable profile wants as text', () => {
    expect(fix(file('name: pdf', 'description: 42'), 'portable')).toEqual({
      text: file('name: pdf', 'description: "42"'),
      fixed: ['value-not-string'],
      left: [],
    });
  });

  it.each(['null', 'no', '123'])('adds the name of the directory %s in quotes, because YAML needs them', (name) => {
    const { text } = fixSkill(file('description: x'), { directoryName: name, profile: 'portable' });
    expect(text).toBe(file(`name: "${name}"`, 'description: x'));
  });

  it('keeps comments, order, line ends and everything that no diagnostic names', () => {
    const before = [
      '---',
      '# one',
      'license:   MIT',
      'name: pdf',
      '',
      'description: a: b',
      '# two',
      'x: [1,  2]',
      '---',
      'b  ',
    ];
    const after = before.map((line) => (line.startsWith('desc') ? 'description: "a: b"' : line));
    expect(fix(before.join('\r\n')).text).toBe(after.join('\r\n'));
  });

  it.each([
    ['---\r\nname: pdf\r\ndescription: x\r\n\r\n# PDF', '---\r\nname: pdf\r\ndescription: x\r\n\r\n---\r\n# PDF'],
    ['---\nname: pdf\ndescription: x\n\n# P\rDF\n', '---\nname: pdf\ndescription: x\n\n---\n# P\rDF\n'],
  ])('keeps how the line below an added fence ends: %j', (before, after) => {
    expect(fix(before).text).toBe(after);
  });

  it.each([
    ['a name that is not the directory', file('name: other', 'description: x'), 'name-directory-mismatch'],
    [
      'a list with a comment in it',
      file(...minimal, 'allowed-tools:', '  - Read # why', '  - Write'),
      'allowed-tools-list',
    ],
    [
      'a list with a comment between its lines',
      file(...minimal, 'allowed-tools:', '- Read', '# why', '- Write'),
      'allowed-tools-list',
    ],
    ['a duplicate', file(...minimal, 'description: y'), 'key-duplicate'],
    ['a slip in the name of a field', file(...minimal, 'licence: MIT'), 'field-misspelt'],
    ['a missing description', file('name: pdf'), 'description-missing'],
    ['text that is no skill', 'Hello.', 'frontmatter-missing'],
  ])('leaves %s to its author', (_title, text, code) => {
    expect(fix(text)).toEqual({ text, fixed: [], left: [code] });
  });

  it.each(['strict', 'lenient', 'portable'] as const)(
    'never changes what a file of the corpus says (%s)',
    (profile) => {
      const corpus: { cases: { id: string; directory: string; text?: string }[] } = JSON.parse(
        readFileSync(new URL('../../../../testing/corpus/format.json', import.meta.url), 'utf8'),
      );
      for (const { id, directory, text } of corpus.cases) {
        if (text === undefined) continue;
        const options = { directoryName: directory, profile };
        const [before, result] = [parseSkill(text, options), fixSkill(text, options)];
        const after = parseSkill(result.text, options);
        expect({ id, properties: meaning(after.properties) }).toEqual({ id, properties: meaning(before.properties) });
        // A lone carriage return is the one thing that changes in a body.
        expect({ id, body: after.body }).toEqual({ id, body: before.body.replaceAll(/\r(?!\n)/g, '\n') });
        expect(fixSkill(result.text, options)).toEqual({ text: result.text, fixed: [], left: result.left });
      }
    },
  );

  it('does not add a word to the field above it, because somebody may be writing another field', () => {
    const begun = file(...minimal, 'license', '# why');
    expect(fix(begun)).toMatchObject({ text: begun, fixed: [], left: ['value-unquoted'] });
    const prose = file(...minimal, 'y z');
    expect(fix(prose)).toMatchObject({ text: file('name: pdf', 'description: "x y z"'), left: [] });
  });

  it('leaves it to a person which of two names is right', () => {
    const other = file('Name: other', 'description: x');
    expect(fix(other)).toMatchObject({ text: other, fixed: [] });
  });

  it('gives no field the name of another one', () => {
    const twice = file(...minimal, 'allowed_tools: Read', 'allowed-tools: Write');
    expect(fix(twice)).toMatchObject({ text: twice, fixed: [] });
  });

  it('adds a name where the frontmatter begins, which may be below another line of dashes', () => {
    expect(fix('&a\n---js\n---\ndescription: x\n---\n\n# PDF\n')).toEqual({
      text: `&a\n---js\n${file(...minimal)}`,
      fixed: ['name-missing'],
      left: ['frontmatter-not-first'],
    });
  });

  it('adds a name first, also if the opening fence is missing', () => {
    expect(fix('description: x\n---\n\n# PDF\n')).toEqual({
      text: file(...minimal),
      fixed: ['fence-open-assumed', 'name-missing'],
      left: [],
    });
  });

  it('replaces lone carriage returns in a code fence', () => {
    expect(fix(`\`\`\`md\n${file(...minimal)}\`\`\`\n`.replaceAll('\n', '\r'))).toEqual({
      text: file(...minimal),
      fixed: ['frontmatter-in-code-fence', 'line-ends-cr'],
      left: [],
    });
  });

  it('stops on any text', () => {
    const line = fc.constantFrom(
      ...[
        '---',
        '---js',
        '--- ',
        '',
        '\ufeff',
        '\t',
        '# A',
        '```',
        'name: pdf',
        'name:pdf',
        'name:',
        'description: x',
        'description: a: b',
      ],
      ...[
        'description: "a',
        'description: | x',
        '  more: x',
        '\ttab: x',
        'metadata:',
        '  v: 1',
        '  v: a: b',
        'compatibility:',
      ],
      ...['allowed-tools: a, b', 'allowed_tools:', '  - Read', '- Read', 'allowed-tools: [a', '&a', '*a'],
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 9 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        const text = lines.join(end);
        const { text: once, left } = fixSkill(text, { directoryName: 'pdf', profile: 'portable' });
        expect(fixSkill(once, { directoryName: 'pdf', profile: 'portable' })).toEqual({ text: once, fixed: [], left });
      }),
      { numRuns: 2000 },
    );
  });
});
