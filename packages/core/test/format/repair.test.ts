import { describe, expect, it } from 'vitest';
import { parseSkill } from '../../src/format/parse.ts';
import { fixSkill } from '../../src/format/write/fix.ts';

const body = '\n# PDF\n\nText.\n';
const file = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\n${body}`;

function read(text: string): { read: Record<string, unknown>; codes: string[]; body: string } {
  const parsed = parseSkill(text, { directoryName: 'pdf' });
  const { name, description, license, metadata, extensions } = parsed.properties ?? {};
  return {
    read: { name, description, license, metadata: { ...metadata }, extensions: { ...extensions } },
    codes: parsed.diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`),
    body: parsed.body,
  };
}

const readDescription = (value: string): ReturnType<typeof read> =>
  read(file('name: pdf', `description: ${value}`, 'license: MIT'));

/** What `read` returns for a skill with these properties besides a name and a license, and these diagnostics. */
const outcome = (properties: Record<string, unknown>, ...codes: string[]): ReturnType<typeof read> => ({
  read: { name: 'pdf', license: 'MIT', metadata: {}, extensions: {}, ...properties },
  codes,
  body: body.trim(),
});

describe('a value that YAML refuses', () => {
  it.each([
    ['a colon', 'Use when: the user asks', 'value-unquoted'],
    ['a backtick', '`pdf` helper', 'value-unquoted'],
    ['an at sign', '@pdf helper', 'value-unquoted'],
    ['a percent sign', '%d of it', 'value-unquoted'],
    ['a star', '*important* stuff', 'value-unquoted'],
    ['stars around it', '**important**', 'value-unquoted'],
    ['an ampersand', '& more', 'value-unquoted'],
    ['a local tag', '!important stuff', 'value-unquoted'],
    ['brackets', '[beta] reads PDF files', 'value-unquoted'],
    ['braces', '{beta} reads PDF files', 'value-unquoted'],
    ['a dash', '- reads: PDF files', 'value-unquoted'],
    ['a colon after a dollar', '$& $1 $$: x', 'value-unquoted'],
  ])('with %s is read as written, and reported where it ceases to be YAML', (_title, value, code) => {
    const colon = /^[\w$]/.test(value) ? value.indexOf(': ') : 0;
    expect(readDescription(value)).toEqual(outcome({ description: value }, `${code} 3:${14 + colon}`));
  });

  it.each([
    ['an open quote', '"Reads PDF files', 'Reads PDF files', '3:14'],
    ['quotes in quotes', '"Reads "PDF" files"', 'Reads "PDF" files', '3:21'],
    ['an escape that does not exist', '"C:\\pdf"', 'C:\\pdf', '3:17'],
    ['an escape that does not exist, after one that does', '"\\\\\\pdf"', '\\\\\\pdf', '3:17'],
    ['an apostrophe in single quotes', "'It's PDF'", "It's PDF", '3:17'],
    ['text after the quote', '"PDF" files', '"PDF" files', '3:18'],
    ['text below the quote', '"a\n  PDF" files\n  of all kinds', '"a PDF" files of all kinds', '4:6'],
    ['text after quotes below the key', '\n  "PDF" files', '"PDF" files', '4:7'],
    ['a comma after the quote', '"PDF files",', 'PDF files', '3:24'],
    ['a line that is not indented', "'PDF\n  and\nother files'", 'PDF and other files', '5:1'],
  ])('with %s is read as the text in the quotes, and reported at its mistake', (_title, value, description, place) => {
    expect(readDescription(value)).toEqual(outcome({ description }, `value-misquoted ${place}`));
  });

  it.each([
    ['|', 'Use when asked.\n  And else.', 'Use when asked.\nAnd else.'],
    ['>', 'Use when asked.\n  And else.', 'Use when asked. And else.'],
    ['>-', 'Use when: asked.', 'Use when: asked.'],
  ])('after the header %s belongs to the text', (header, value, description) => {
    expect(readDescription(`${header} ${value}`)).toEqual(outcome({ description }, 'block-header-text 3:14'));
  });

  it('goes on in lines that are not indented', () => {
    expect(read(file('name: pdf', 'description: Use when: asked,', 'or not', 'license: MIT'))).toEqual(
      outcome({ description: 'Use when: asked, or not' }, 'value-unquoted 3:22'),
    );
  });

  it.each([
    ['Use when: asked,\n  # why\n  or not', 'Use when: asked, or not'],
    ['Use when: asked,\n# why\n  or not # 1', 'Use when: asked, or not # 1'],
    ['Use when: asked\n  # why', 'Use when: asked'],
  ])('leaves out the lines of %j that are comments', (value, description) => {
    expect(readDescription(value)).toEqual(outcome({ description }, 'value-unquoted 3:22'));
  });

  it('leaves the other fields and the comments between them alone', () => {
    const text = file(
      '# first',
      'name: pdf',
      'description: Use when: asked',
      '# second',
      'license: MIT',
      'tags: [a, b]',
    );
    expect(read(text)).toEqual(
      outcome({ description: 'Use when: asked', extensions: { tags: ['a', 'b'] } }, 'value-unquoted 4:22'),
    );
  });

  it('is reported at its own column, however far it is from the key', () => {
    expect(read(file('name: pdf', 'description:   a: b', '"license":  MIT', "'when_to_use' : c: d")).codes).toEqual([
      'value-unquoted 3:17',
      'value-unquoted 5:18',
    ]);
  });

  it('leaves the empty lines at the end of another field alone', () => {
    const text = file('name: pdf', 'description: a: b', 'license: MIT', 'note: |+', '  kept', '', '', 'x: "y" z');
    expect(read(text).read.extensions).toEqual({ note: 'kept\n\n\n', x: '"y" z' });
  });

  it('is repaired below a comment that is indented', () => {
    expect(read(file('  # comment', 'name: pdf', 'description: "a\\q"', 'license: MIT'))).toEqual(
      outcome({ description: 'a\\q' }, 'value-misquoted 4:16'),
    );
  });

  it('leaves maps beside it below `metadata` alone', () => {
    const text = file('name: pdf', 'description: x', 'license: MIT', 'metadata:', '  a:', '    b: 1', '  c: "d" e');
    expect(read(text)).toEqual(
      outcome(
        { description: 'x', metadata: { a: '{"b":1}', c: '"d" e' } },
        'metadata-nested 7:5',
        'value-misquoted 8:8',
      ),
    );
  });

  it('is repaired below `metadata` also if its key is `name`, because that is not the name of the skill', () => {
    const text = file('name: pdf', 'description: x', 'license: MIT', 'metadata:', '  name: "a" b');
    expect(read(text)).toEqual(outcome({ description: 'x', metadata: { name: '"a" b' } }, 'value-misquoted 6:11'));
  });

  it('is repaired below `metadata` too', () => {
    const text = file(
      'name: pdf',
      'description: x',
      'license: MIT',
      'metadata:',
      '  author: me',
      '  note: a: b',
      '  list:',
      '    - [',
    );
    expect(read(text)).toEqual(
      outcome(
        { description: 'x', metadata: { author: 'me', note: 'a: b' } },
        'value-unquoted 7:10',
        'field-unreadable 9:7',
      ),
    );
  });
});

describe('an entry of `metadata` without a space after its colon', () => {
  it.each([
    ['below another one', ['  author: me', '  GitHub:me'], { author: 'me', GitHub: 'me' }, 'colon-space-missing 6:3'],
    ['above another one', ['  GitHub:me', '  author: me'], { GitHub: 'me', author: 'me' }, 'colon-space-missing 5:3'],
  ])('is an entry of its own: %s', (_title, lines, metadata, code) => {
    const text = file('name: pdf', 'description: x', 'metadata:', ...lines);
    const { read: found, codes } = read(text);
    expect([found['metadata'], codes]).toEqual([metadata, [code]]);
    const fixed = file('name: pdf', 'description: x', 'metadata:', ...lines).replace('GitHub:me', 'GitHub: me');
    expect(fixSkill(text, { directoryName: 'pdf' }).text).toBe(fixed);
  });

  it.each(['https://x.y', 'C:\\x'])('is not an address or a path that continues a value: %s', (place) => {
    const text = file('name: pdf', 'description: x', 'metadata:', '  author: "me" at', `  ${place}`);
    expect(read(text).read['metadata']).toEqual({ author: `"me" at ${place}` });
  });
});

describe('a list of arguments that YAML refuses', () => {
  it('is ignored and never rewritten as text, because it may be a list of maps', () => {
    const text = file(
      'name: pdf',
      'description: x',
      'arguments:',
      '  - name: page',
      '    description: A page (default: 1)',
    );
    const { properties, diagnostics } = parseSkill(text, { directoryName: 'pdf' });
    expect([properties?.arguments, diagnostics.map(({ code, line }) => `${code} ${line}`)]).toEqual([
      [],
      ['field-unreadable 4'],
    ]);
    expect(fixSkill(text, { directoryName: 'pdf', profile: 'strict' }).text).toBe(text);
  });

  it('is text if it begins on the line of its key', () => {
    const text = file('name: pdf', 'description: x', 'arguments: [file] [page]');
    expect(parseSkill(text, { directoryName: 'pdf' }).properties?.arguments).toEqual(['[file]', '[page]']);
  });
});

describe('other repairs', () => {
  it('reads tabs as two spaces', () => {
    expect(read(file('name: pdf', 'description: x', 'license: MIT', 'metadata:', '\tauthor: me'))).toEqual(
      outcome({ description: 'x', metadata: { author: 'me' } }, 'tab-indentation 5:1'),
    );
  });

  it('reads a key without a space after the colon', () => {
    expect(read(file('name:pdf', 'description: x', 'license: MIT'))).toEqual(
      outcome({ description: 'x' }, 'colon-space-missing 2:1'),
    );
  });

  it('reads keys with the wide colons and spaces of Chinese and Japanese keyboards', () => {
    const written = file('name：pdf', 'description　：　説明：x', 'license:\u3000MIT', 'metadata：', '  a: b');
    expect(read(written)).toEqual(
      outcome(
        { description: '説明：x', metadata: { a: 'b' } },
        'colon-space-missing 2:1',
        'colon-space-missing 3:1',
        'colon-space-missing 4:1',
        'colon-space-missing 5:1',
      ),
    );
    const fixed = file('name: pdf', 'description: 説明：x', 'license: MIT', 'metadata:', '  a: b');
    expect(fixSkill(written, { directoryName: 'pdf' }).text).toBe(fixed);
    expect(parseSkill(file('name：PDF', 'description: x'), { directoryName: 'pdf' }).diagnostics[1]).toMatchObject({
      code: 'name-uppercase',
      column: 6,
    });
    expect(parseSkill(file('name： PDF', 'description: x'), { directoryName: 'pdf' }).diagnostics[1]).toMatchObject({
      code: 'name-uppercase',
      column: 7,
    });
  });

  it('reads a description behind a wide colon although a later colon makes it valid YAML', () => {
    const written = file('name: pdf', 'description：支持 a: b', 'license: MIT');
    expect(read(written)).toEqual(
      outcome({ description: '支持 a: b' }, 'colon-space-missing 3:1', 'value-unquoted 3:17'),
    );
    const fixed = file('name: pdf', 'description: "支持 a: b"', 'license: MIT');
    expect(fixSkill(written, { directoryName: 'pdf' }).text).toBe(fixed);
  });

  it('takes a word before a wide colon for prose if it is no known field', () => {
    const written = file('name: pdf', 'description: 支持以下格式：', 'PDF：提取', 'DOCX：修改');
    const { properties } = parseSkill(written, { directoryName: 'pdf' });
    expect(properties?.description).toBe('支持以下格式： PDF：提取 DOCX：修改');
  });

  it('reads known keys with a wide colon, also above a broken entry, but approves no tools for one', () => {
    const written = file('name：pdf', 'description：x', 'when_to_use：用于', 'metadata：', '  a: b: c');
    const { properties, diagnostics } = parseSkill(written, { directoryName: 'pdf' });
    expect(properties).toMatchObject({ description: 'x', whenToUse: '用于', metadata: { a: 'b: c' } });
    const codes = diagnostics.map(({ code, line }) => `${code} ${line}`);
    expect(codes).toEqual(expect.arrayContaining(['colon-space-missing 5', 'value-unquoted 6']));
    const fixed = file('name: pdf', 'description: x', 'when_to_use: 用于', 'metadata:', '  a: "b: c"');
    expect(fixSkill(written, { directoryName: 'pdf' }).text).toBe(fixed);
    const tools = parseSkill(file('name: pdf', 'description: Sets', 'allowed-tools：Bash'), { directoryName: 'pdf' });
    expect(tools.properties).toMatchObject({ description: 'Sets', allowedTools: [], allowedToolsDoubtful: true });
    expect(tools.diagnostics.map(({ code }) => code)).toEqual(['colon-space-missing', 'allowed-tools-doubtful']);
  });

  it('reads fields that are all indented', () => {
    const head = ['  name: pdf', '', '  license: MIT', '  description: >- Use when:', '    asked', '  metadata:'];
    const fields = [...head, '    a: b', '    c: d: e', '    f:', '      - g'];
    expect(read(file(...fields))).toEqual(
      outcome(
        { description: 'Use when: asked', metadata: { a: 'b', c: 'd: e', f: '["g"]' } },
        'block-header-text 5:16',
        'value-unquoted 9:9',
        'metadata-nested 11:7',
      ),
    );
    const fixed = ['    a: b', '    c: "d: e"', '    f:', '      - g'];
    const described = ['  name: pdf', '', '  license: MIT', '  description: "Use when: asked"', '  metadata:'];
    expect(fixSkill(file(...fields), { directoryName: 'pdf' }).text).toBe(file(...described, ...fixed));
  });

  it('reads keys without a space after the colon, even if YAML takes all of them for one text', () => {
    expect(read(file('name:pdf', 'description:x', 'license:MIT'))).toEqual(
      outcome({ description: 'x' }, 'colon-space-missing 2:1', 'colon-space-missing 3:1', 'colon-space-missing 4:1'),
    );
  });

  it.each([
    ['metadata: {a: {b: [1, 2}}', 'field-unreadable 4:19'],
    ['metadata:\n  a:\n    b:\n      c: [1, "]", 2', 'field-unreadable 7:10'],
    ['metadata:\n  a:\n    - {x: [y} # ]', 'field-unreadable 6:11'],
  ])('reports %j at the bracket that is not closed', (broken, code) => {
    expect(read(file('name: pdf', 'description: x', broken)).codes).toEqual([code]);
  });

  it.each([': f', ' f:', 'f'])(
    'leaves out `metadata` if %j has too little indentation, but not for a comment',
    (line) => {
      const beside = (given: string) =>
        read(file('name: pdf', 'description: x', 'metadata:', '  a: b: c', given, '  d: e'));
      expect(beside(line)).toMatchObject({ read: { metadata: {} }, codes: ['field-unreadable 4:1'] });
      expect(beside('# f').read).toMatchObject({ metadata: { a: 'b: c', d: 'e' } });
    },
  );

  it('reads a key with spaces as a part of the text above it', () => {
    expect(read(file('name: pdf', 'description: x', 'use when: asked', 'license: a: b'))).toEqual(
      outcome({ description: 'x use when: asked', license: 'a: b' }, 'value-unquoted 4:9', 'value-unquoted 5:11'),
    );
  });

  it('knows where a value begins if no space is before it', () => {
    const { diagnostics } = parseSkill(file('name:Pdf', 'description: x'));
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'name-uppercase', line: 2, column: 6 }));
  });

  it('points to a line that is not indented', () => {
    const text = file('name: pdf', 'description: |', '  x', 'license: MIT', 'lic');
    expect(read(text)).toEqual(outcome({ description: 'x', license: 'MIT lic' }, 'value-unquoted 6:1'));
  });

  it('says in words of an author that a line has no colon', () => {
    const { diagnostics } = parseSkill(file('name: pdf', 'descr'));
    const message = 'The frontmatter is not valid YAML: a line is neither a field nor indented below one.';
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'yaml-invalid', line: 3, message }));
  });

  it('takes a switch with a lone quote to be on', () => {
    const { properties } = parseSkill(file('name: pdf', 'description: x', 'disable-model-invocation: "'));
    expect(properties?.disableModelInvocation).toBe(true);
  });

  it('leaves out a field that is neither text nor YAML', () => {
    expect(read(file('name: pdf', 'description: x', 'license: MIT', 'hooks:', '  - a: [', '  b: c'))).toEqual(
      outcome({ description: 'x' }, 'field-unreadable 6:8'),
    );
  });

  it.each([
    ['name: [x', 'description: y'],
    ['text', 'name: pdf', 'description: a: b'],
    ['name: pdf', 'license: a: b'],
    ['%YAML 1.1', 'name: pdf', 'description: x'],
    [': : :'],
    ['name: pdf', 'description: "'],
    ['name: pdf', 'description: a: b', 'x: &a c'],
    ['name: pdf', 'description: a: b', ...Array.from({ length: 300 }, (_, index) => `"k${index}": v`)],
  ])('guesses nothing about %j', (...lines) => {
    const { properties, diagnostics } = parseSkill(file(...lines), { directoryName: 'pdf' });
    expect(properties).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['yaml-invalid']);
  });

  it('asks for spaces if a tab is what YAML refuses', () => {
    const { diagnostics } = parseSkill(file('name:\tx', '\tdescription: y'), { directoryName: 'pdf' });
    expect(diagnostics).toMatchObject([{ code: 'yaml-tab', line: 3, hint: 'Indent with spaces.' }]);
  });

  it('reads fields one by one if only the whole is not YAML', () => {
    expect(read(file('name: pdf', 'description: x', '...', 'license: MIT'))).toEqual(
      outcome({ description: 'x' }, 'fields-read-apart 5:1'),
    );
  });

  it('reads keys in quotes', () => {
    const { read: found } = read(file('"name": pdf', 'description: a: b', "'license': MIT"));
    expect(found).toEqual(outcome({ description: 'a: b' }).read);
  });

  it.each([
    ['an open quote', ['description: "Reads', 'allowed-tools: Bash', 'files"']],
    ['an open single quote', ["description: 'Reads", 'allowed-tools: Bash', "files'"]],
    ['an odd number of quotes', ['description: "a" b"', 'allowed-tools: Bash']],
    ['an open bracket', ['description: x', 'hooks: [a,', 'allowed-tools: Bash', 'b: [']],
    ['the end of a document', ['description: x', '...', 'allowed-tools: Bash']],
  ])('reads no permission that may be inside %s', (_title, lines) => {
    const { properties, diagnostics } = parseSkill(file('name: pdf', ...lines), { directoryName: 'pdf' });
    expect(properties?.allowedTools).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toContain('allowed-tools-doubtful');
  });

  it('reads a permission below a repaired field in which it cannot be', () => {
    const { properties } = parseSkill(file('name: pdf', 'description: a: b', 'allowed-tools: Bash'));
    expect(properties?.allowedTools).toEqual(['Bash']);
  });

  it('reads the first of two values and says so', () => {
    expect(read(file('name: pdf', 'description: a: b', 'description: c', 'license: MIT'))).toEqual(
      outcome({ description: 'a: b' }, 'value-unquoted 3:15', 'key-duplicate 4:1'),
    );
  });
});

describe('fences', () => {
  const fields = 'name: pdf\ndescription: x\nlicense: MIT\n';
  const { read: expected } = outcome({ description: 'x' });

  it.each([
    ['closes before a heading', `---\n${fields}\n# PDF\n\nText.\n`, 'fence-close-assumed 6:1'],
    [
      'closes before a heading although a rule follows',
      `---\n${fields}# PDF\n\nText.\n\n---\n`,
      'fence-close-assumed 5:1',
    ],
    ['closes at a fence that text is glued to', `---\n${fields}---# PDF\n\nText.\n`, 'fence-close-assumed 5:1'],
    ['opens before the fields', `${fields}---\n${body}`, 'fence-open-assumed 1:1'],
    ['looks into a code fence', `\`\`\`markdown\n---\n${fields}---\n${body}\`\`\`\n`, 'frontmatter-in-code-fence 1:1'],
    [
      'looks into a code fence of four',
      `\`\`\`\`markdown\n---\n${fields}---\n${body}\`\`\`\`\n`,
      'frontmatter-in-code-fence 1:1',
    ],
    ['looks below a heading', `# Skill\n\n---\n${fields}---\n${body}`, 'frontmatter-not-first 1:1'],
    ['looks below empty lines', `\n\n---\n${fields}---\n${body}`, 'leading-blank-lines 1:1'],
    ['accepts spaces after the fence', `--- \t\n${fields}---\n${body}`, 'fence-trailing-space 1:4'],
    ['skips a byte order mark', `\ufeff---\n${fields}---\n${body}`, 'byte-order-mark 1:1'],
  ])('%s', (title, text, code) => {
    const { codes, ...rest } = read(text);
    expect(rest).toEqual({ read: expected, body: title.includes('rule') ? '# PDF\n\nText.\n\n---' : body.trim() });
    expect(codes).toEqual([code]);
  });

  it('closes at a fence that text is glued to, even if only a list is above the next rule', () => {
    const found = read(`---\n${fields}---# PDF\n\n- one\n\n---\n`);
    expect(found).toEqual({ read: expected, codes: ['fence-close-assumed 5:1'], body: '# PDF\n\n- one\n\n---' });
  });

  it.each(['', '```\n', '~~~\n', '````'])('keeps the code of a body in a code fence that ends with %j', (end) => {
    const code = '# PDF\n\n```sh\nls\n```';
    const text = `\`\`\`md\n---\n${fields}---\n${code}\n${end}`;
    expect(read(text)).toEqual({ read: expected, codes: ['frontmatter-in-code-fence 1:1'], body: code });
    expect(fixSkill(text, { directoryName: 'pdf' }).text).toBe(`---\n${fields}---\n${code}\n`);
  });

  it.each([
    ['a heading and no fields', '# PDF\n\n---\n\nText.\n\n---\n', 'frontmatter-missing'],
    ['fields that are indented', `  ---\n${fields}---\n`, 'frontmatter-missing'],
    ['four hyphens', `----\n${fields}----\n`, 'frontmatter-missing'],
    ['fields and no fence at all', fields, 'frontmatter-missing'],
    ['a path', '../../skills/pdf/SKILL.md', 'link-as-text'],
    ['a language', `---js\n${fields}---\n`, 'frontmatter-language'],
    ['a language after a space', `--- js\n${fields}---\n`, 'frontmatter-language'],
    ['no end', `---\n${fields}`, 'frontmatter-unclosed'],
  ])('finds no frontmatter in %s', (_title, text, code) => {
    const { properties, diagnostics } = parseSkill(text, { directoryName: 'pdf' });
    expect(properties).toBeUndefined();
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
  });

  it.each([
    ['around a field', '---\nname: pdf\n<<<<<<< HEAD\ndescription: x\n=======\ndescription: y\n>>>>>>> b\n---\nA\n', 3],
    ['inside a value', '---\nname: pdf\ndescription: >\n  x\n<<<<<<< HEAD\n  y\n=======\n>>>>>>> b\n---\nA\n', 5],
    ['around all fields', `---\r\n<<<<<<< HEAD\r\n${fields}=======\r\n${fields}>>>>>>> b\r\n---\r\nA\n`, 2],
    ['around a fence', `---\nname: pdf\n<<<<<<< HEAD\ndescription: x\n---\nA\n=======\n---\nB\n>>>>>>> b\n`, 3],
    ['around the whole file', `<<<<<<< HEAD\n---\n${fields}---\nA\n=======\n---\n${fields}---\nB\n>>>>>>> b\n`, 1],
  ])('chooses no version if conflict markers are %s', (_title, text, line) => {
    for (const profile of ['lenient', 'strict', 'portable'] as const) {
      const { properties, diagnostics } = parseSkill(text, { directoryName: 'pdf', profile });
      expect(properties).toBeUndefined();
      expect(diagnostics).toMatchObject([{ code: 'conflict-markers', severity: 'error', line, column: 1 }]);
    }
  });

  it('keeps arrows and rules that are no conflict markers', () => {
    const text = '---\nname: pdf\ndescription: |\n  <<<<<<< HEAD\n  >>>>>>> b\n---\n<<<<<<< HEAD\n=======\n>>>>>>> b\n';
    expect(read(text).codes).toEqual(['body-conflict-markers 7:1']);
  });

  it('keeps a comment of the frontmatter that is not a heading', () => {
    expect(read(file('name: pdf', 'description: a: b', '# comment', 'license: MIT')).codes).toEqual([
      'value-unquoted 3:15',
    ]);
  });
});

describe('a file that cannot be read is reported at the mistake', () => {
  it.each([
    ['a bracket three levels down', 'metadata:\n  a:\n    - b: [1, {c: 2, d: [3}]\nlicense: MIT', '5:24'],
    ['a bracket that is closed further down, in another field', 'tags: [a, b\nlicense: "]"', '3:7'],
    ['a quote that is never closed', 'license: "MIT"\nsummary: "PDF\ntags: []', '4:10'],
    ['an apostrophe that is never closed', "license: 'MIT'\nsummary: 'It''s\ntags: []", '4:10'],
    ['a quote that ends a text too early', "summary: 'PDF's files'", '3:14'],
    ['a colon', 'summary: Use when: files', '3:18'],
    ['a colon on a further line', 'summary: Use\n  when: files', '4:7'],
    ['a colon in braces', 'metadata: {a: b: c}', '3:16'],
    ['a key that is indented otherwise', 'list:\n    - a\n  b: c', '5:3'],
    ['a bracket too many', 'tags: [a, b]]', '3:13'],
  ])('%s', (_title, lines, place) => {
    expect(read(file('name: pdf', lines)).codes).toEqual([`yaml-invalid ${place}`]);
  });
});
