import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownFields } from '../../../src/format/fields.ts';
import { parseSkill } from '../../../src/format/parse.ts';
import { normalizeName } from '../../../src/format/properties/name.ts';
import { formatSkill } from '../../../src/format/write/write.ts';
import { isSkillError } from '../../../src/skill/error.ts';
import type { SkillProperties } from '../../../src/skill/skill.ts';
import { fakeSkill } from '../../catalog/catalog-fixture.ts';

const plain = fakeSkill('pdf', 'Reads PDF files. Use for PDF tasks.').properties;

const bare = <Value>(entries: Record<string, Value>): Record<string, Value> =>
  Object.assign(Object.create(null), entries);

const noData = 'An extension is not data: expected text, numbers, booleans, null, lists and plain objects.';

// Texts that YAML, the fences or a JavaScript object could trip over.
const nasty = fc.constantFrom(
  ...[
    '---',
    '-',
    '\n---\n',
    '--- js',
    '...',
    ': ',
    ':',
    ' #',
    '#',
    '- ',
    '? ',
    '| ',
    '>',
    '"',
    "'",
    '\\',
    '`',
    '@',
    '%',
    '&a',
    '*a',
    '!!js',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    ',',
    '~',
    'null',
    'true',
    'no',
    'on',
    '1.10',
    '0x1F',
    '2026-01-01',
    '12:30',
    '=',
    '<<',
    '$&',
    '$1',
    '</x>',
  ],
  ...[
    '\n',
    '\r',
    '\r\n',
    '\t',
    '\u0000',
    '\u0007',
    '\u001b',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\u202e',
    '\u200b',
    '\u{e0041}',
  ],
  ...['技能', '😀', 'e\u0301', '__proto__', 'constructor', 'a'],
);
const text = fc.oneof(
  fc
    .array(fc.oneof(nasty, fc.string({ maxLength: 5, unit: 'grapheme' })), { maxLength: 6 })
    .map((parts) => parts.join('')),
  fc.string({ maxLength: 40, unit: 'binary' }),
);
const someText = text.map((value) => value.trim()).filter((value) => value !== '');
const tool = fc.constantFrom(
  'Read',
  'Bash(git add *)',
  'Bash(a,b)',
  'mcp__x',
  '*',
  'Bash(*)',
  'Bash("x")',
  '#x',
  '技(能 )',
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: false }).map((entries) => {
      const { constructor: _constructor, prototype: _prototype, ...rest } = entries as Record<string, unknown>;
      return bare(Object.fromEntries(Object.entries(rest).filter(([key]) => key !== '__proto__')));
    }),
  ),
})).value;

const properties: fc.Arbitrary<SkillProperties> = fc
  .record({
    name: someText.map((value) => normalizeName(value).trim()).filter((value) => value !== ''),
    description: someText,
    license: fc.option(someText, { nil: undefined }),
    compatibility: fc.option(someText, { nil: undefined }),
    metadata: fc.dictionary(text, text, { maxKeys: 4 }).map((entries) => bare(entries)),
    allowedTools: fc.array(tool, { maxLength: 3 }),
    disableModelInvocation: fc.boolean(),
    userInvocable: fc.boolean(),
    whenToUse: fc.option(someText, { nil: undefined }),
    argumentHint: fc.option(someText, { nil: undefined }),
    arguments: fc.array(fc.constantFrom('file', '$1', '技', '#x', '---'), { maxLength: 2 }),
    extensions: fc
      .dictionary(fc.constantFrom('version', 'hooks', 'x y', '技', '---', '- ', '123', 'no', 'name-cn'), data, {
        maxKeys: 3,
      })
      .map((entries) => bare(entries)),
  })
  .map(({ license, compatibility, whenToUse, argumentHint, ...rest }) => ({
    ...rest,
    internal: rest.metadata.internal === 'true',
    disableModelInvocation: rest.disableModelInvocation || rest.metadata['opencode/autoinvoke'] === 'false',
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(whenToUse === undefined ? {} : { whenToUse }),
    ...(argumentHint === undefined ? {} : { argumentHint }),
  }));

describe('formatSkill', () => {
  it('needs only a name and a description, as a row of a database has', () => {
    const written = '---\nname: refunds\ndescription: "Handles: refunds"\n---\n\nPay back.\n';
    expect(formatSkill({ name: 'refunds', description: 'Handles: refunds' }, 'Pay back.')).toBe(written);
  });

  it.each([
    [{ internal: 'yes' }, 'internal: "yes"'],
    [{ internal: 'perhaps' }, 'internal: "perhaps"'],
    [{ internal: 'false' }, 'internal: "true"'],
    [{ Internal: 'yes' }, 'Internal: "yes"\n  internal: "true"'],
    [{}, 'internal: "true"'],
  ])('says once that a skill is internal: %j', (metadata, written) => {
    expect(formatSkill({ ...plain, metadata, internal: true }, '')).toBe(
      `---\nname: pdf\ndescription: Reads PDF files. Use for PDF tasks.\nmetadata:\n  ${written}\n---\n`,
    );
  });

  it('writes the fields of the specification plainly', () => {
    const skill: SkillProperties = {
      ...plain,
      license: 'MIT',
      compatibility: 'Needs Python 3.11 or later.',
      metadata: { author: 'me', version: '1.10' },
      allowedTools: ['Read', 'Bash(git add *)'],
      extensions: { tags: ['a', 'b'], model: 'inherit' },
    };
    expect(formatSkill(skill, '# PDF\n')).toBe(
      [
        '---',
        'name: pdf',
        'description: Reads PDF files. Use for PDF tasks.',
        'license: MIT',
        'compatibility: Needs Python 3.11 or later.',
        'metadata:',
        '  author: "me"',
        '  version: "1.10"',
        'allowed-tools: Read Bash(git add *)',
        'tags:',
        '  - a',
        '  - b',
        'model: inherit',
        '---',
        '',
        '# PDF',
        '',
      ].join('\n'),
    );
  });

  it.each(['strict', 'lenient', 'portable'] as const)(
    'writes what the %s profile reads back as the same data',
    (profile) => {
      fc.assert(
        fc.property(properties, text, (skill, body) => {
          const parsed = parseSkill(formatSkill(skill, body), { profile });
          expect(parsed.properties).toEqual(skill);
          expect(parsed.body).toBe(body.trim());
        }),
        { numRuns: 1500 },
      );
    },
  );

  it('writes every known field', () => {
    const written = formatSkill(
      {
        ...plain,
        license: 'MIT',
        compatibility: 'Needs Python 3.11.',
        metadata: { author: 'me' },
        allowedTools: ['Read'],
        disableModelInvocation: true,
        userInvocable: false,
        whenToUse: 'For PDF tasks.',
        argumentHint: '[file]',
        arguments: ['file'],
      },
      '',
    );
    const fields = [...written.matchAll(/^([\w-]+):/gm)].map(([, field]) => field);
    expect(fields.sort()).toEqual([...knownFields].sort());
  });

  it('never writes a line that a reader could take for a fence', () => {
    fc.assert(
      fc.property(properties, (skill) => {
        const written = formatSkill(skill, '');
        expect(written.split('---')).toHaveLength(3);
      }),
      { numRuns: 500 },
    );
  });

  it('never writes hyphens as a fence', () => {
    for (const description of ['---', '----', 'a -------- b']) {
      const written = formatSkill({ ...plain, description }, '');
      expect(written.split('---')).toHaveLength(3);
      expect(parseSkill(written).properties?.description).toBe(description);
    }
  });

  it('never writes hyphens in keys as a fence, at any depth', () => {
    const skill = { ...plain, metadata: bare({ 'a---': 'x' }), extensions: bare({ 'b---': [bare({ 'c---': 1 })] }) };
    const written = formatSkill(skill, '');
    expect(written.split('---')).toHaveLength(3);
    expect(parseSkill(written).properties).toEqual(skill);
  });

  it('writes keys that are too long for one line', () => {
    const key = 'k '.repeat(1500);
    const skill = { ...plain, metadata: { ['k'.repeat(64)]: 'x' }, extensions: { [key]: { [key]: ['x'] } } };
    expect(parseSkill(formatSkill(skill, '')).properties).toEqual(skill);
  });

  it('passes every profile when the data does', () => {
    const written = formatSkill({ ...plain, metadata: { version: '1.10', note: 'a --- b: #c' } }, 'Body');
    for (const profile of ['strict', 'lenient', 'portable'] as const) {
      expect(parseSkill(written, { profile, directoryName: 'pdf' }).diagnostics).toEqual([]);
    }
  });

  it.each([
    ['an empty description', { description: ' ' }, '`description` is empty.'],
    [
      'a tool with an open parenthesis',
      { allowedTools: ['Bash(git'] },
      '`Bash(git` is not one tool: it contains spaces or commas, begins with a bracket or quotation mark, or its parentheses are not balanced.',
    ],
    [
      'a tool that is two',
      { allowedTools: ['Read Write'] },
      '`Read Write` is not one tool: it contains spaces or commas, begins with a bracket or quotation mark, or its parentheses are not balanced.',
    ],
    [
      'a description beyond the limit of the frontmatter',
      { description: 'x'.repeat(20_000) },
      'The frontmatter does not end within the first 16384 bytes.',
    ],
    [
      'a value of metadata that would not be read back',
      { metadata: { team: 'x'.repeat(5_000) } },
      '`metadata.team` was left out: its value has 5000 characters, expected at most 4096.',
    ],
    ['a license that is nothing', { license: null }, '`license` must be a text, not null.'],
    ['metadata that is a text', { metadata: 'abc' }, '`metadata` must be an object, not a value of type string.'],
    ['metadata with a number', { metadata: { a: 1 } }, '`a` must be a text, not a value of type number.'],
    [
      'a switch that is a text',
      { disableModelInvocation: 'false' },
      '`disableModelInvocation` must be true or false, not `false`.',
    ],
    [
      'tools that are a text',
      { allowedTools: 'Read' },
      '`allowedTools` must be a list of texts, not a value of type string.',
    ],
    [
      'the name of a field',
      { 'disable-model-invocation': true },
      expect.stringMatching(/^`properties` has the unknown key `disable-model-invocation`; expected one of name, .*/),
    ],
    ['an extension that is not data', { extensions: { when: new Date(0) } }, noData],
    ['an extension that is a function', { extensions: { run: () => 0 } }, noData],
    [
      'an extension under a polluting key',
      { extensions: JSON.parse('{"__proto__": {"polluted": 1}}') },
      '`__proto__` could change the prototype of objects that it is copied into; it was ignored.',
    ],
  ])('refuses %s and says why', (_title, change, message) => {
    let thrown: unknown;
    try {
      formatSkill(Object.assign({ ...plain }, change), 'Body');
    } catch (error) {
      thrown = error;
    }
    expect(isSkillError(thrown) && [thrown.code, thrown.message]).toEqual(['options-invalid', message]);
  });
});
