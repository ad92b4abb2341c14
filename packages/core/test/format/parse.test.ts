import { describe, expect, it } from 'vitest';
import { hasErrors } from '../../src/diagnostics/diagnostic.ts';
import { type ParseSkillOptions, parseBody, parseSkill, parseSkillHead } from '../../src/format/parse.ts';
import { fixSkill } from '../../src/format/write/fix.ts';
import { formatSkill } from '../../src/format/write/write.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const file = (...lines: string[]): string => ['---', ...lines, '---', '', '# PDF', ''].join('\n');
const minimal = ['name: pdf', 'description: Reads PDF files.'];

/** The codes and places of what is reported, such as `yaml-invalid 3:14`. */
function reports(text: string, options: ParseSkillOptions = {}): string[] {
  const { diagnostics } = parseSkill(text, { directoryName: 'pdf', ...options });
  return diagnostics.map(({ code, line, column }) => (line === undefined ? code : `${code} ${line}:${column}`));
}

describe('parseSkill', () => {
  it('reads every field that is understood', () => {
    const text = file(
      'name: pdf',
      'description: Reads PDF files.',
      'license: MIT',
      'compatibility: Needs Python 3.11',
      'metadata:',
      '  author: me',
      '  version: 1.10',
      '  internal: true',
      'allowed-tools: Read Bash(git add *)',
      'disable-model-invocation: yes',
      'user-invocable: "off"',
      'when_to_use: For PDF tasks.',
      'argument-hint: "[file]"',
      'arguments: file page',
      'version: 1.10',
      'hooks:',
      '  Stop: [{ command: echo }]',
    );
    const { properties, body } = parseSkill(text);
    expect(properties).toEqual({
      name: 'pdf',
      description: 'Reads PDF files.',
      license: 'MIT',
      compatibility: 'Needs Python 3.11',
      metadata: { author: 'me', version: '1.10', internal: 'true' },
      allowedTools: ['Read', 'Bash(git add *)'],
      disableModelInvocation: true,
      userInvocable: false,
      internal: true,
      whenToUse: 'For PDF tasks.',
      argumentHint: '[file]',
      arguments: ['file', 'page'],
      extensions: { version: 1.1, hooks: { Stop: [{ command: 'echo' }] } },
    });
    expect(body).toBe('# PDF');
  });

  it('returns neutral values for missing fields', () => {
    expect(parseSkill(file(...minimal)).properties).toEqual({
      name: 'pdf',
      description: 'Reads PDF files.',
      metadata: {},
      allowedTools: [],
      disableModelInvocation: false,
      userInvocable: true,
      internal: false,
      arguments: [],
      extensions: {},
    });
  });

  it('gives every diagnostic its source and its place', () => {
    const { diagnostics } = parseSkill('', { source: 'project', location: 'skills/pdf/SKILL.md' });
    expect(diagnostics).toMatchObject([{ source: 'project', location: 'skills/pdf/SKILL.md', line: 1, column: 1 }]);
  });

  it('reads the same from text and from bytes', () => {
    const text = file(...minimal, 'license: ©');
    expect(parseSkill(encode(text))).toEqual(parseSkill(text));
  });

  it('keeps the line ends of the body and normalises those of values', () => {
    const parsed = parseSkill('---\r\nname: pdf\r\ndescription: |\r\n  a\r\n  b\r\n---\r\none\r\ntwo\r\n');
    expect(parsed.properties?.description).toBe('a\nb');
    expect(parsed.body).toBe('one\r\ntwo');
  });

  it('ends the frontmatter at the first closing fence only', () => {
    const { properties, body } = parseSkill(`---\n${minimal.join('\n')}\n---\n---js\nglobalThis.PWNED = 1\n---\n`);
    expect(properties?.name).toBe('pdf');
    expect(body).toBe('---js\nglobalThis.PWNED = 1\n---');
    expect(globalThis).not.toHaveProperty('PWNED');
  });

  it('refuses a file over 512 KiB and still says what it is', () => {
    const { properties, body, diagnostics } = parseSkill(file(...minimal) + 'x'.repeat(512 * 1024));
    expect({ name: properties?.name, body }).toEqual({ name: 'pdf', body: '' });
    expect(diagnostics.map(({ code }) => code)).toEqual(['skill-too-large']);
  });
});

describe('places', () => {
  it('counts lines and columns in the file as stored, and sorts by them', () => {
    expect(reports('\n---\nname: PDF\nmetadata:\n    version: 1.0\n---\nbody')).toEqual([
      'leading-blank-lines 1:1',
      'description-missing 2:1',
      'name-uppercase 3:7',
      'name-directory-mismatch 3:7',
      'metadata-not-string 5:14',
    ]);
  });

  it.each([
    ['line feeds', '\n'],
    ['carriage returns and line feeds', '\r\n'],
  ])('counts the same with %s', (_title, end) => {
    const text = ['---', 'name: pdf', 'description: x', 'compatibility:', '  - a', '---', 'body'].join(end);
    expect(reports(text)).toEqual(['compatibility-not-text 5:3']);
  });

  it('counts columns in UTF-16 units', () => {
    expect(reports(file('name: pdf', 'metadata: { 😀: 1, b: [] }', 'description: x'))).toEqual([
      'metadata-not-string 3:17',
      'metadata-nested 3:23',
    ]);
  });
});

describe('fields', () => {
  it.each([
    ['allowedTools: Read', ['Read']],
    ['allowed_tools: Read', ['Read']],
    ['allowed-tools:\n  - Read\n  - Bash(git add *)', ['Read', 'Bash(git add *)']],
    ['allowed-tools: [Read, "Bash(git:*)"]', ['Read', 'Bash(git:*)']],
    ['allowed-tools: Read, Write,Bash(a, b)', ['Read', 'Write', 'Bash(a, b)']],
    ['allowed-tools: "*"', ['*']],
  ])('reads the request %j', (line, tools) => {
    expect(parseSkill(file(...minimal, line)).properties?.allowedTools).toEqual(tools);
  });

  it.each([
    'allowed-tools: Read\nallowed-tools: Write',
    'allowed-tools: Read\nallowedTools: Write',
    'allowed_tools: Read\nallowed_tools: Write',
    'allowed-tools: Bash(git',
    'allowed-tools: Read) Write',
    'allowed-tools: {Read: true}',
    'allowed-tools: [Read, [Write]]',
    'allowed-tools: [Read, {a: b}]',
    'allowed-tools: Bash(git: *)',
    'allowed-tools: [Read',
    'allowed-tools: "Read',
    'allowed-tools: | Read',
    'allowed-tools: *Read',
    'allowed-tools: @Read',
    'allowed-tools:\n\t- Read: [',
  ])('reads no permission from the doubtful %j, and reports it', (line) => {
    const { properties, diagnostics } = parseSkill(file(...minimal, line));
    expect(properties?.allowedTools).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toContain('allowed-tools-doubtful');
  });

  it('says that a list of tools has a list in it', () => {
    const { diagnostics } = parseSkill(file(...minimal, 'allowed-tools:', '  - Read', '  - [Write]'));
    expect(diagnostics).toMatchObject([
      { code: 'allowed-tools-doubtful', message: '`allowed-tools` contains a list; it allows no tool.' },
    ]);
  });

  it.each([
    ['hooks:\n  a: b\n  c: [d', 'hooks', {}],
    ['metadata: x\n  a: b\n  c: [d', 'metadata', {}],
    ['metadata:\n  metadata:\n    a: b\n    c: [d\n  e: f', 'metadata.metadata', { e: 'f' }],
  ])('reads the lines below a field one by one only if they are those of `metadata`: %j', (lines, field, metadata) => {
    const { properties, diagnostics } = parseSkill(file(...minimal, lines));
    expect([properties?.metadata, properties?.extensions]).toEqual([metadata, {}]);
    expect(diagnostics.map(({ code, message }) => [code, message.split(' ')[0]])).toEqual([
      ['field-unreadable', `\`${field}\``],
    ]);
  });

  it('reads no text as empty metadata, but keeps a tilde, which is also the home directory', () => {
    const fields = ['metadata:', '  a: ~', '  b: null', '  c:', '  d: "null"'];
    expect(parseSkill(file(...minimal, ...fields)).properties?.metadata).toEqual({ a: '~', b: '', c: '', d: 'null' });
  });

  it.each([
    [undefined, '\u200b', 'name-unsafe'],
    ['pdf', 'pdf', 'name-empty'],
  ])('names a skill without a visible name in the directory %s %j', (directoryName, name, code) => {
    const { properties, diagnostics } = parseSkill(file('name: "\u200b"', 'description: d'), { directoryName });
    expect([properties?.name, diagnostics.map((diagnostic) => diagnostic.code)]).toEqual([name, [code]]);
  });

  it.each(['~', 'null', ''])('takes the description %j for an empty one', (description) => {
    const { properties, diagnostics } = parseSkill(`---\nname: pdf\ndescription: ${description}\n---\nGo.`);
    expect([properties, diagnostics.map(({ code }) => code)]).toEqual([undefined, ['description-empty']]);
  });

  it('says that a list of tools has an empty entry, and does not blame skills-ref, which accepts it', () => {
    const { diagnostics } = parseSkill(file(...minimal, 'allowed-tools:', '  - Read', '  -'), { profile: 'portable' });
    expect(diagnostics).toMatchObject([
      { code: 'allowed-tools-doubtful', message: '`allowed-tools` contains an empty entry; it allows no tool.' },
    ]);
  });

  it.each([
    ['true', true],
    ['True', true],
    ['yes', true],
    ['"on"', true],
    ['1', true],
    ['false', false],
    ['no', false],
    ['OFF', false],
    ['0', false],
    ['', true],
  ])('reads disable-model-invocation: %s', (value, expected) => {
    expect(parseSkill(file(...minimal, `disable-model-invocation: ${value}`)).properties).toMatchObject({
      disableModelInvocation: expected,
    });
  });

  it.each(['maybe', '[true]', '"', ': x'])(
    'hides a skill from the model when disable-model-invocation is %j',
    (value) => {
      const { properties, diagnostics } = parseSkill(file(...minimal, `disable-model-invocation: ${value}`));
      expect(properties?.disableModelInvocation).toBe(true);
      expect(diagnostics.map(({ code }) => code)).toContain('value-not-boolean');
    },
  );

  it.each([
    ['true', 'false'],
    ['false', 'true'],
  ])('hides a skill from the model when it says both %s and %s', (first, second) => {
    const lines = [`disable-model-invocation: ${first}`, `disable-model-invocation: ${second}`];
    const { properties, diagnostics } = parseSkill(file(...minimal, ...lines));
    expect(properties?.disableModelInvocation).toBe(true);
    expect(diagnostics).toMatchObject([
      {
        code: 'key-duplicate',
        message: '`disable-model-invocation` is given more than once; it restricts the skill.',
      },
    ]);
  });

  it('refuses a switch that is given more than once, like any other field, if it follows the specification', () => {
    const lines = ['disable-model-invocation: true', 'disable-model-invocation: true'];
    const { diagnostics } = parseSkill(file(...minimal, ...lines), { profile: 'strict' });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'key-duplicate', line: 5 },
    ]);
  });

  it('says that the fields end too early without naming a function of a parser', () => {
    const { diagnostics } = parseSkill(file('name: pdf', '...', 'description: x'));
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      [
        'fields-read-apart',
        'The frontmatter is not valid YAML: a line `...` or `---` ends the fields before the last one; its fields were read one by one.',
      ],
    ]);
  });

  it('never keeps half of a surrogate pair', () => {
    const { properties } = parseSkill(
      file('name: pdf', 'description: "a\\ud83d"', 'license: "long enough to be a slice \\ud83d"'),
    );
    expect(properties).toMatchObject({ description: 'a\ufffd', license: 'long enough to be a slice \ufffd' });
  });

  it('honours `opencode/autoinvoke` of the metadata', () => {
    const { properties } = parseSkill(file(...minimal, 'metadata:', '  opencode/autoinvoke: "false"'));
    expect(properties?.disableModelInvocation).toBe(true);
  });

  it.each([
    ['policy:\n  allow_implicit_invocation: false\n', true, []],
    ['policy:\n  allow_implicit_invocation: true\n', false, []],
    ['policy: x\n', false, []],
    ['interface:\n  display_name: PDF\n', false, []],
    ['policy: [', false, ['sidecar-invalid']],
    ['policy: &a\n  allow_implicit_invocation: false\n', true, ['sidecar-invalid']],
    ['metadata: disable-model-invocation\n', true, []],
    ['metadata: [{ a: b }, [disable-model-invocation]]\n', true, []],
  ])('reads the `agents/openai.yaml` %j', (codexSidecar, disabled, codes) => {
    const parsed = parseSkill(file(...minimal), { codexSidecar: encode(codexSidecar) });
    expect(parsed.properties?.disableModelInvocation).toBe(disabled);
    expect(parsed.diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    ['licence', 'license'],
    ['Description', 'description'],
    ['user-invokable', 'user-invocable'],
    ['argument_hint', 'argument-hint'],
    ['disable_model_invocation', 'disable-model-invocation'],
  ])('asks whether `%s` was meant to be `%s`', (written, meant) => {
    const { diagnostics } = parseSkill(file(...minimal, `${written}: x`));
    expect(diagnostics).toMatchObject([{ code: 'field-misspelt', hint: `Write \`${meant}\`.` }]);
  });

  it('asks about a misspelt name, and says which name to write', () => {
    const { diagnostics } = parseSkill(file('Name: PDF', 'description: x'), { directoryName: 'pdf' });
    expect(diagnostics.find(({ code }) => code === 'field-misspelt')).toMatchObject({
      message: '`Name` is not a field of the specification. Did you mean `name`?',
      hint: 'Write `name: pdf`.',
    });
  });

  it.each([
    ['[file]', '[file]'],
    ['[path to a file, --all]', '[path to a file, --all]'],
    ['["a b", [c]]', '[a b, [c]]'],
    ['[topic: foo | bar]', '[topic: foo | bar]'],
    ['[{ topic: x }]', '[topic: x]'],
    ['[topic: [x], y: z]', '[topic: [x], y: z]'],
    ['[]', undefined],
  ])(
    'takes the brackets of `argument-hint: %s` for a part of the hint, although YAML reads a list',
    (written, hint) => {
      const { properties, diagnostics } = parseSkill(file(...minimal, `argument-hint: ${written}`));
      expect([properties?.argumentHint, diagnostics]).toEqual([hint, []]);
    },
  );

  it('ignores an `argument-hint` that is a map', () => {
    const text = file(...minimal, 'argument-hint: { file: x }');
    expect(parseSkill(text).properties?.argumentHint).toBeUndefined();
    expect(reports(text)).toEqual([expect.stringContaining('value-not-text')]);
  });

  it.each([
    ['license', 'license-not-text'],
    ['compatibility', 'compatibility-not-text'],
    ['when_to_use', 'value-not-text'],
    ['argument-hint', 'value-not-text'],
  ])('keeps `%s` that is a map, and reports %s', (key, code) => {
    const { properties, diagnostics } = parseSkill(file(...minimal, `${key}: { a: b }`));
    expect(properties?.extensions).toEqual({ [key]: { a: 'b' } });
    expect(diagnostics).toContainEqual(expect.objectContaining({ code, line: 4 }));
  });

  it('keeps `arguments` that are maps, and writes them again', () => {
    const text = file(...minimal, 'arguments:', '  - name: page', '    required: true');
    const { properties, body, diagnostics } = parseSkill(text);
    const given = { arguments: [{ name: 'page', required: true }] };
    expect([properties?.arguments, properties?.extensions]).toEqual([[], given]);
    expect(diagnostics).toEqual([expect.objectContaining({ code: 'value-not-text', line: 5 })]);
    if (properties === undefined) throw new Error('Nothing was read.');
    expect(parseSkill(formatSkill(properties, body)).properties).toEqual(properties);
    const words = parseSkill(file(...minimal, 'arguments: [page, { name: size }]')).properties;
    expect([words?.arguments, words?.extensions]).toEqual([['page'], {}]);
  });

  it.each(['version', 'tags', 'description-cn', 'model', 'disallowed-tools', 'disallowedTools', 'x'])(
    'says nothing about the field `%s` in lenient',
    (key) => {
      expect(reports(file(...minimal, `${key}: x`))).toEqual([]);
    },
  );

  it('keeps maps without a prototype', () => {
    const { properties } = parseSkill(file(...minimal, 'metadata:', '  constructor: x', 'nested: { constructor: y }'));
    expect(Object.getPrototypeOf(properties?.metadata)).toBeNull();
    expect(Object.getPrototypeOf(properties?.extensions)).toBeNull();
    expect(Object.getPrototypeOf(properties?.extensions.nested)).toBeNull();
    expect([properties?.metadata.constructor, properties?.extensions.nested]).toEqual(['x', { constructor: 'y' }]);
  });
});

describe('names', () => {
  it.each(['GitLab CI/CD Pipeline', 'owner/repo@skill', 'shadcn/ui — components'])(
    'uses the name of the directory instead of %j',
    (name) => {
      const { properties, diagnostics } = parseSkill(file(`name: ${name}`, 'description: x'), { directoryName: 'pdf' });
      expect({ name: properties?.name, codes: diagnostics.map(({ code }) => code) }).toEqual({
        name: 'pdf',
        codes: ['name-replaced'],
      });
    },
  );

  it.each(['PDF\u30ce\u30fc\u30c8', '\u30ce\u30fc\u30c8', 'pdf \u30ce \u672c', 'what\u2019s-new', 'a\u2013b'])(
    'leaves %j its name',
    (name) => {
      const { properties } = parseSkill(file(`name: ${name}`, 'description: x'), { directoryName: 'pdf' });
      expect(properties?.name).toBe(name);
    },
  );

  it.each(['../x', 'a/b', '/etc/passwd', '~/x y', 'a/../b c', 'a\\b c', './x', 'a//b'])(
    'refuses the path %j',
    (name) => {
      const { diagnostics } = parseSkill(file(`name: ${name}`, 'description: x'), { directoryName: 'pdf' });
      expect(diagnostics).toMatchObject([
        { code: 'name-unsafe', severity: 'error' },
        { code: 'name-directory-mismatch' },
      ]);
    },
  );

  it.each([' pdf', 'pdf ', 'pdf\u3000'])('reports that the directory %j is not called pdf', (directoryName) => {
    const { diagnostics } = parseSkill(file(...minimal), { directoryName });
    expect(diagnostics).toMatchObject([{ code: 'name-directory-mismatch', hint: 'Rename the directory to `pdf`.' }]);
  });

  it('refuses a skill that has neither a name nor a directory', () => {
    const { properties, diagnostics } = parseSkill(file('description: x'));
    expect(properties).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['name-unavailable']);
  });
});

describe('profiles', () => {
  const text = file('name: PDF', 'description: Use when: x < y', 'author: me');
  it.each([
    ['strict', ['value-unquoted', 'name-uppercase', 'field-unknown'], true],
    ['lenient', ['value-unquoted', 'name-uppercase'], false],
    ['portable', ['value-unquoted', 'name-uppercase', 'description-angle-brackets', 'field-unknown'], true],
  ] as const)('%s reads the same and weighs it in its own way', (profile, codes, refused) => {
    const { properties, diagnostics } = parseSkill(text, { profile });
    expect(properties).toMatchObject({ name: 'PDF', description: 'Use when: x < y', extensions: { author: 'me' } });
    expect(diagnostics.map(({ code }) => code).sort()).toEqual([...codes].sort());
    expect(hasErrors(diagnostics)).toBe(refused);
  });

  it.each(['model: haiku', 'context: fork', 'agent: Explore', 'paths: "src/**"', 'hooks:\n  Stop: x'])(
    'calls %j a field of clients, because it has no effect there below `metadata`',
    (field) => {
      const { diagnostics, properties } = parseSkill(file('name: pdf', 'description: Reads PDF files.', field), {
        profile: 'strict',
      });
      const [key = ''] = field.split(':');
      expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['field-of-client', 'info']]);
      expect(Object.keys(properties?.extensions ?? {})).toEqual([key]);
    },
  );

  it.each(['TODO: what it does', '"[TODO: what it does]"', '"<TODO: what it does>"'])(
    'the description %s is a gap, which only lenient accepts',
    (description) => {
      const gap = `---\nname: pdf\ndescription: ${description.startsWith('"') ? description : `"${description}"`}\n---\n`;
      const severities = (['strict', 'portable', 'lenient'] as const).map((profile) =>
        parseSkill(gap, { profile })
          .diagnostics.filter(({ code }) => code === 'description-unfinished')
          .map(({ severity, line }) => [severity, line]),
      );
      expect(severities).toEqual([[['error', 3]], [['error', 3]], [['warning', 3]]]);
    },
  );

  it.each([
    ['description:\tReads PDF files.', 'after a colon'],
    ['description: Reads\tPDF files.', 'in a text without quotes'],
    ['description: Reads PDF files.\t', 'after a text'],
    ['description: "Reads PDF files."\t# new', 'before a comment'],
    ['description: "Reads it."\n\t', 'on an empty line'],
    ['description: Reads a\u2028PDF file.', 'as a line end'],
    ['license: M\u0085IT\ndescription: Reads PDF files.', 'as a line end of mainframes'],
    ['license: M\u0092IT\ndescription: Reads PDF files.', 'that is a control character'],
    ['description: Reads\n  "PDF\tfiles" fast.', 'in quotes that belong to a text without quotes'],
    ['description: Reads\n  "PDF\tfiles"', 'in quotes at the end of a text without quotes'],
    ['description: Reads, "PDF\tfiles" fast.', 'in quotes after a comma'],
    ['description\t: |\n  Reads PDF files.', 'before the colon of a block'],
  ])('portable refuses %j, because readers in Python refuse the character %s', (line) => {
    const text = file('name: pdf', line);
    expect(reports(text, { profile: 'strict' })).toEqual([]);
    expect(reports(text, { profile: 'portable' })).toEqual([expect.stringMatching(/^character-foreign [34]:/)]);
  });

  it('portable refuses a byte order mark below the fence, because the reference tool takes it for a part of the key', () => {
    const text = '---\n\ufeffname: pdf\ndescription: Reads PDF files.\n---\nBody.\n';
    expect(reports(text, { profile: 'strict' })).toEqual([]);
    expect(reports(text, { profile: 'portable' })).toEqual([expect.stringMatching(/^character-foreign 2:1/)]);
  });

  it.each([
    'description: "Reads\tPDF files."',
    "description: 'Reads\tPDF files.'",
    'description: "Reads PDF\n\tfiles."',
    'description: |\n  Reads\tPDF files.\n\n  Quickly.\t',
    'description: Reads PDF files. # a\tcomment',
    '# a\tcomment\ndescription: Reads PDF files.',
    'description: Reads PDF files.\nmetadata:\n  "long note": |\n    x\ty\n  k y: |\n    x\ty',
    'description: Reads PDF files.\nmetadata:\n  a: ["x\ty", \'z\t\']\n  b:\n    - "x\ty"\n    - |\n      x\ty',
    'description:\n  "Reads\tPDF files."',
    'description: # what it does\n  "Reads\tPDF files."',
    'description: Reads PDF files.\nmetadata:\n  "long\tnote" : x',
  ])('portable accepts the tab in %j', (lines) => {
    expect(reports(file('name: pdf', lines), { profile: 'portable' }).join()).not.toContain('character-foreign');
  });

  it.each([
    ['compatibility: =', '4:16'],
    ['compatibility: <<', '4:16'],
    ['license: =', '4:10'],
    ['allowed-tools: =', '4:16'],
    ['metadata:\n  a: <<', '5:6'],
  ])('portable refuses %j, because the value is an operator of YAML 1.1', (lines, place) => {
    const text = file(...minimal, lines);
    expect(reports(text, { profile: 'strict' })).toEqual([]);
    expect(reports(text, { profile: 'portable' })).toEqual([`value-not-string ${place}`]);
  });

  it.each([
    ['description: "a\\"\nlicense: "MIT"', '3:14'],
    ['description: x\nmetadata:\n  a: "\\"\n  b: c\n  "d": e', '5:6'],
    ["description: 'a''\nlicense: 'MIT'", '3:16'],
  ])('the quotes in %j are not closed, because the last one is escaped', (lines, place) => {
    const text = file('name: pdf', lines);
    expect(reports(text)).toEqual([`value-misquoted ${place}`]);
    for (const profile of ['strict', 'portable'] as const) {
      expect(hasErrors(parseSkill(text, { profile }).diagnostics)).toBe(true);
    }
  });

  it.each([
    ['metadata:\n  : a', 'key-invalid 5:3'],
    ['metadata:\n  ?\n  : a', 'key-invalid 5:4'],
  ])('the metadata in %j has no key, which only lenient accepts', (lines, report) => {
    const text = file(...minimal, lines);
    for (const profile of ['lenient', 'strict', 'portable'] as const) {
      const { properties, diagnostics } = parseSkill(text, { profile });
      expect({ ...properties?.metadata }).toEqual({});
      expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([report]);
      expect(hasErrors(diagnostics)).toBe(profile !== 'lenient');
    }
  });

  it.each(['{"name": "pdf", "description": "x"}', '# why\n\n  {\n  name: pdf, description: x }'])(
    'portable refuses the fields %j, because skills-ref cannot read braces',
    (fields) => {
      const text = file(fields);
      expect(reports(text)).toEqual([]);
      expect(reports(text, { profile: 'portable' })).toEqual([expect.stringMatching(/^yaml-flow [24]:[13]$/)]);
    },
  );

  it.each([
    [['metadata: {a: b}'], 'metadata', '4:1'],
    [['metadata:', '  author: me', '  tags: [a, b]'], 'tags', '6:3'],
    [['hooks:', '  - when: [a]'], 'when', '5:5'],
    [['hooks:', '  - [a]'], 'hooks', '4:1'],
  ])('portable says which value of %j is in brackets', (lines, field, place) => {
    const { diagnostics } = parseSkill(file(...minimal, ...lines), { profile: 'portable' });
    const found = diagnostics.filter(({ code }) => code === 'yaml-flow');
    expect(found.map(({ message, line, column }) => [message, `${line}:${column}`])).toEqual([
      [expect.stringMatching(`^\`${field}\` is written in brackets`), place],
    ]);
  });

  it.each(['strict', 'lenient', 'portable'] as const)('%s refuses characters that YAML has not', (profile) => {
    for (const character of ['\0', '\u007f', '\ufffe', '\uffff']) {
      const text = file('name: pdf', `description: Reads ${character}files.`);
      expect(reports(text, { profile })).toEqual(['frontmatter-control-characters 3:20']);
    }
  });

  it.each(['TODO lists: keeps them.', '待办TODO: lists'])('the description %s is written', (description) => {
    const { diagnostics } = parseSkill(`---\nname: pdf\ndescription: "${description}"\n---\nGo.\n`, {
      profile: 'strict',
    });
    expect(diagnostics).toEqual([]);
  });
});

describe('describeByBody', () => {
  const text =
    '---\nname: pdf\n---\n\n<!-- note\nmore -->\n<!-- one line -->\n# PDF\n\n```sh\n~~~\nnpx pdf\n```\n\nReads PDF\nfiles.\n\nMore.\n';

  it('uses the first paragraph as a missing description, if the host asks for it', () => {
    const { properties, diagnostics } = parseSkill(text, { describeByBody: true });
    expect(properties?.description).toBe('Reads PDF files.');
    expect(diagnostics).toMatchObject([{ code: 'description-assumed', severity: 'warning' }]);
    expect(parseSkill(text).properties).toBeUndefined();
  });

  it('leaves a description that is there alone, and a body without text', () => {
    expect(parseSkill(file(...minimal), { describeByBody: true }).properties?.description).toBe('Reads PDF files.');
    const { diagnostics } = parseSkill('---\nname: pdf\n---\n# PDF\n\n- a\n', { describeByBody: true });
    expect(diagnostics.map(({ code }) => code)).toEqual(['description-missing']);
  });

  it('looks only where a listing also looks', () => {
    const far = `---\nname: pdf\n---\n${'# PDF\n'.repeat(3000)}Reads PDF files.\n`;
    expect(parseSkill(far, { describeByBody: true }).properties).toBeUndefined();
  });

  it('keeps a long paragraph within the limit', () => {
    const { properties } = parseSkill(`---\nname: pdf\n---\n${'😀'.repeat(2000)}`, { describeByBody: true });
    expect(properties?.description).toBe('😀'.repeat(1024));
  });
});

describe('characters of the body that a reviewer does not see', () => {
  const start = ['---', ...minimal, '---', ''];

  it.each([
    ['a tag character', 'Formats JSON.\u{e0049}\u{e0067}', 'body-hidden-characters 6:14', 'U+E0049'],
    ['a change of direction', 'One.\nIs \u202esafe.', 'body-hidden-characters 7:4', 'U+202E'],
    ['a zero-width space, after an emoji', '👍 One.\u200b', 'body-hidden-characters 6:8', 'U+200B'],
    ['a zero-width space, after Windows line ends', 'One.\r\n\r\nT\u200bwo.', 'body-hidden-characters 8:2', 'U+200B'],
    ['a control character, after line ends of old systems', 'One.\rTwo\0.', 'body-control-characters 7:4', 'U+0000'],
  ])('are reported at the first one: %s', (_title, body, report, character) => {
    const text = [...start, body].join('\n');
    expect(reports(text)).toEqual([report]);
    const [diagnostic] = parseSkill(text).diagnostics;
    expect([diagnostic?.severity, diagnostic?.message]).toEqual(['warning', expect.stringContaining(character)]);
    expect(parseBody(encode(text)).diagnostics).toEqual([diagnostic]);
  });

  it.each(['👩‍💻 ❤️ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 1️⃣', 'می‌خواهم', 'क्‍ष'])(
    'are not those that emoji, flags and scripts need: %s',
    (body) => {
      expect(reports([...start, body].join('\n'))).toEqual([]);
    },
  );
});

describe('conflict markers in the body', () => {
  const start = ['---', ...minimal, '---', ''].join('\n');
  const conflict = '<<<<<<< HEAD\nDelete it.\n=======\nKeep it.\n>>>>>>> feature\n';

  it.each([
    ['after a code block', `Run:\n\n\`\`\`sh\nls\n\`\`\`\n\n${conflict}`, 11],
    ['with Windows line ends', `One.\n${conflict}`.replaceAll('\n', '\r\n'), 6],
    ['around a line that opens a code block', conflict.replace('Delete it.', '```'), 5],
    ['without names', conflict.replace(' HEAD', '').replace(' feature', ''), 5],
  ])('are reported where they begin, %s: an error, or a warning in lenient', (_title, body, line) => {
    for (const profile of ['lenient', 'strict', 'portable'] as const) {
      const { properties, diagnostics } = parseSkill(start + body, { profile, directoryName: 'pdf' });
      const found = diagnostics.filter(({ code }) => code === 'body-conflict-markers');
      const severity = profile === 'lenient' ? 'warning' : 'error';
      expect([properties?.name, found]).toMatchObject(['pdf', [{ severity, line, column: 1 }]]);
    }
  });

  it.each([
    ['in a code block', `\`\`\`\n${conflict}\`\`\`\n`],
    ['in a longer code block with a shorter fence in it', `~~~~\n~~~\n${conflict}~~~~\n`],
    ['without an end', conflict.slice(0, -20)],
    ['without a beginning', conflict.slice(13)],
    ['that are longer', conflict.replaceAll('<', '<<').replaceAll('>', '>>')],
    ['inside a line', `See ${conflict.replaceAll('\n', ' ')}\n`],
  ])('are none %s', (_title, body) => {
    expect(reports(start + body)).toEqual([]);
  });
});

describe('parseSkillHead', () => {
  const text = file(...minimal);

  it('returns the properties of a head that contains the frontmatter', () => {
    const { properties } = parseSkill(text);
    expect(parseSkillHead(encode(text), { complete: false })).toEqual({
      name: 'pdf',
      properties,
      diagnostics: [],
    });
  });

  it('returns nothing for any shorter head', () => {
    const bytes = encode(text);
    const end = text.indexOf('\n---\n') + 5;
    for (let length = 0; length < end; length += 1) {
      expect(parseSkillHead(bytes.subarray(0, length), { complete: false })).toBeUndefined();
    }
  });

  it.each([
    ['a comment', `<!-- A comment -->\n${text}`],
    ['a code fence', `\`\`\`md\n\n${text}`],
    ['empty lines', `\n \n${text}`],
    ['a byte order mark', `\ufeff${text}`],
    ['carriage returns', text.replaceAll('\n', '\r')],
    ['no opening fence', text.slice(4)],
  ])('returns nothing for any shorter head with %s', (_, unusual) => {
    const bytes = encode(unusual);
    const end = bytes.length - encode(text).length + text.indexOf('\n---\n') + 4;
    for (let length = 0; length < end; length += 1) {
      expect(parseSkillHead(bytes.subarray(0, length), { complete: false })).toBeUndefined();
    }
    expect(parseSkillHead(bytes, { complete: false })?.properties).toBeDefined();
  });

  it('decides at 16 KiB', () => {
    const long = encode(`---\n${minimal.join('\n')}\n${'x: y\n'.repeat(5000)}---\n`);
    expect(parseSkillHead(long.subarray(0, 16_383), { complete: false })).toBeUndefined();
    const head = parseSkillHead(long.subarray(0, 16_384), { complete: false });
    expect(head?.diagnostics.map(({ code }) => code)).toEqual(['frontmatter-too-large']);
    expect(parseSkill(long).diagnostics.map(({ code }) => code)).toEqual(['frontmatter-too-large']);
  });

  it('never looks at the body', () => {
    const bytes = encode(`${text}body`);
    bytes.fill(0xff, bytes.length - 4);
    expect(parseSkillHead(bytes, { complete: true })?.diagnostics).toEqual([]);
    expect(parseSkill(bytes).diagnostics.map(({ code }) => code)).toEqual(['encoding-invalid']);
  });
});

describe('parseBody', () => {
  it('returns the body of the file, and what is wrong with it', () => {
    const bytes = encode(`${file(...minimal)}\n# PDF\n\u0007\n`);
    bytes[bytes.length - 3] = 0xff;
    const { body, diagnostics } = parseSkill(bytes);
    expect(parseBody(bytes)).toEqual({ body, bodyStart: expect.any(Number), diagnostics });
    expect(diagnostics.map(({ code }) => code)).toEqual(['encoding-invalid', 'body-control-characters']);
  });

  it('says nothing about the fields, which it does not read', () => {
    const text = file('name: [x', 'allowed-tools: (');
    expect(parseBody(encode(text))).toEqual({ body: '# PDF', bodyStart: expect.any(Number), diagnostics: [] });
  });

  it.each([
    ['no fence', 'Text.', 'frontmatter-missing'],
    ['no closing fence', '---\nname: pdf\n', 'frontmatter-unclosed'],
    ['too many bytes', `${file(...minimal)}${'x'.repeat(512 * 1024)}`, 'skill-too-large'],
  ])('says why there is no body: %s', (_title, text, code) => {
    const parsed = parseBody(encode(text));
    expect([parsed.body, parsed.diagnostics.map((diagnostic) => diagnostic.code)]).toEqual(['', [code]]);
  });

  it.each([
    ['a heading that ends the frontmatter', '---\nname: pdf\ndescription: x\n# PDF\n\nText.\n\n---\n\nMore.\n'],
    ['a heading that is a comment', '---\nname: pdf\ndescription: x\n# Notes\nlicense: MIT\n---\nText.\n'],
    ['a code fence', '```markdown\n---\nname: pdf\ndescription: x\n---\nText.\n```\n'],
    ['a code fence and lone carriage returns', '```markdown\r---\rname: pdf\rdescription: x\r---\rText.\r```\r'],
  ])('begins where the file does with %s', (_title, text) => {
    expect(parseBody(encode(text)).body).toBe(parseSkill(text).body);
  });
});

describe('limits', () => {
  it.each([
    ['a name', 64, (length: number) => [`name: ${'n'.repeat(length)}`, 'description: x'], 'name-too-long'],
    [
      'a description',
      1024,
      (length: number) => ['name: pdf', `description: ${'d'.repeat(length)}`],
      'description-too-long',
    ],
    [
      'compatibility',
      500,
      (length: number) => [...minimal, `compatibility: ${'c'.repeat(length)}`],
      'compatibility-too-long',
    ],
  ])('%s may have %d characters and no more', (_title, limit, fields, code) => {
    const codes = (length: number) =>
      parseSkill(file(...fields(length))).diagnostics.map((diagnostic) => diagnostic.code);
    expect([codes(limit), codes(limit + 1)]).toEqual([[], [code]]);
  });

  it('compatibility counts with its last line end, as validators count it', () => {
    const block = (style: string): readonly string[] =>
      reports(file(...minimal, `compatibility: ${style}`, `  ${'c'.repeat(500)}`));
    expect([block('|-'), block('|')]).toEqual([[], ['compatibility-too-long 4:16']]);
  });
});

it.each([
  [['description: >', '  one', '  two > one'], 'description-angle-brackets 5:7'],
  [['description: |2 # why', '  one', '    two\u202e'], 'hidden-characters 5:8'],
  [['description: "one', '  two\u202e"'], 'hidden-characters 4:6'],
])('points to the character in a text of several lines: %j', (lines, report) => {
  expect(reports(file('name: pdf', ...lines), { profile: 'portable' })).toContain(report);
});

it.each([{ profile: 'stict' }, { directoryname: 'pdf' }])('refuses the options %j', (given: object) => {
  const text = file(...minimal);
  const refused = expect.objectContaining({ code: 'options-invalid' });
  expect(() => parseSkill(text, given)).toThrow(refused);
  expect(() => fixSkill(text, given)).toThrow(refused);
});
