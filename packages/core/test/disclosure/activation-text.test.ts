import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceedsWrapper } from '../../src/disclosure/activation-text.ts';
import { activateSkill, loadCatalog, memorySource } from '../../src/index.ts';
import { maxSkillBytes } from '../../src/skill/limits.ts';
import type { Skill } from '../../src/skill/skill.ts';
import type { SkillEntry, SkillSource } from '../../src/skill/source.ts';

async function activate(
  body: string,
  files: Readonly<Record<string, string>> = {},
  options: Parameters<typeof activateSkill>[1] = {},
) {
  const source = memorySource({ 'pdf/SKILL.md': `---\nname: pdf\ndescription: D.\n---\n${body}`, ...files });
  const skill = (await loadCatalog([source])).skills[0];
  if (skill === undefined) throw new Error('The skill was not loaded.');
  return activateSkill(skill, options);
}

describe('activateSkill', () => {
  it('wraps the body with name, digest and directory', async () => {
    const { text, digest } = await activate('# PDF\n');
    expect(text).toBe(
      [
        `<skill_content name="pdf" digest="${digest.slice(7, 15)}">`,
        '# PDF',
        '',
        'Directory: pdf',
        '</skill_content>',
      ].join('\n'),
    );
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('diagnoses the body, and not the fields that listing has diagnosed', async () => {
    const { skills, diagnostics } = await loadCatalog([
      memorySource({ 'pdf/SKILL.md': '---\nname: PDF\ndescription: Use when: asked\n---\nBell: \u0007' }),
    ]);
    const skill = skills[0];
    if (skill === undefined) throw new Error('The skill was not loaded.');
    expect(diagnostics.map(({ code }) => code)).toContain('value-unquoted');
    const activation = await activateSkill(skill);
    expect(activation.diagnostics).toMatchObject([
      { code: 'body-control-characters', source: skill.source.id, location: 'pdf/SKILL.md' },
    ]);
  });

  it('refuses a `SKILL.md` that has become too large since it was listed', async () => {
    const source = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: D.\n---\nBody' });
    const grown = await loadCatalog([{ ...source, readFile: async () => new Uint8Array(maxSkillBytes + 1) }]);
    const activations = grown.skills.map((skill) => activateSkill(skill));
    expect(await Promise.allSettled(activations)).toMatchObject([{ reason: { code: 'skill-too-large' } }]);
  });

  it('refuses a `SKILL.md` that is half written now', async () => {
    const source = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: D.\n---\nBody' });
    const written = new TextEncoder().encode('---\nname: pdf\n');
    const half = await loadCatalog([{ ...source, readFile: async () => written }]);
    const activations = half.skills.map((skill) => activateSkill(skill));
    expect(await Promise.allSettled(activations)).toMatchObject([{ reason: { code: 'skill-unreadable' } }]);
  });

  it('lists the files with their sizes and says when the list is not whole', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `pdf/references/${String(index).padStart(3, '0')}.md`,
        'x'.repeat(index),
      ]),
    );
    const { text } = await activate('Body', files, { readTool: 'read' });
    expect(text).toContain('\nBody\n\nBytes and files in pdf:\n0 references/000.md\n1 references/001.md\n');
    expect(text.endsWith('\n99 references/099.md\nand 20 more files\n</skill_content>')).toBe(true);
  });

  it('says that there are more files, even if none could be listed', async () => {
    const source = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: D.\n---\nBody' });
    for (const files of [[], [{ path: 'a:b', bytes: 1 }]]) {
      const cut = await loadCatalog([{ ...source, listFiles: async () => ({ files, truncated: true }) }]);
      const texts = await Promise.all(cut.skills.map(async (skill) => (await activateSkill(skill)).text));
      expect(texts).toEqual([expect.stringMatching(/\n\nBytes and files in pdf:\nand more files\n<\/skill_content>$/)]);
    }
  });

  it('keeps each file on a line of its own, whatever its path', async () => {
    const paths = ['pdf/7 </skill_content>', 'pdf/a\n9 b.md', 'pdf/and 3 more files'];
    const { text } = await activate('Body', Object.fromEntries(paths.map((path) => [path, 'x'])));
    expect(text.split('\n').slice(4)).toEqual(['1 and 3 more files', 'and 2 more files', '</skill_content>']);
  });

  it('leaves out the files that a model could not ask for by what it is shown, counts them and says which', async () => {
    const shown = ['"R&D" it\'s.md', 'a b.md', 'pages/[...x].ts', '技能/说明.md', '経費\u3000精算.md'];
    const hidden = [
      'nul.md',
      'a.',
      'a  b',
      'c\u00a0 d',
      'a:b',
      'a<b',
      'a>b',
      'a\\b',
      'a\nb',
      '[INST]',
      '```',
      '\u202egpj.exe',
    ].sort();
    const files = Object.fromEntries([...shown, ...hidden].map((path) => [`pdf/${path}`, 'x']));
    const { text, diagnostics, resources } = await activate('Body', files);
    expect(text.split('\n').slice(4)).toEqual([
      ...shown.map((path) => `1 ${path}`),
      'and 12 more files',
      '</skill_content>',
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(hidden.map(() => 'resource-name-unportable'));
    expect(resources.files.length).toBe(shown.length + hidden.length);
  });

  it('has room for 100 files that a model can ask for, whatever others there are', () => {
    const list = (shown: number, hidden: number) => {
      const paths = Array.from({ length: shown + hidden }, (_, index) => (index < shown ? `${index}` : `${index}:`));
      return { files: paths.map((path) => ({ path, bytes: 1 })), truncated: false };
    };
    expect([list(100, 50), list(101, 0), list(101, 50)].map(exceedsWrapper)).toEqual([false, true, true]);
  });

  it('names 20 files at most that it leaves out', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`pdf/${index}:`, 'x']));
    expect((await activate('Body', files)).diagnostics.length).toBe(20);
  });

  it('names at most 20 files whose paths differ only in case, spaces and composition', async () => {
    const paths = Array.from({ length: 30 }, (_, index) => [`pdf/\u00e9 ${index}.md`, `pdf/E\u0301\u00a0${index}.md`]);
    const { diagnostics } = await activate('Body', Object.fromEntries(paths.flat().map((path) => [path, 'x'])));
    expect(diagnostics.map(({ code }) => code)).toEqual(Array(20).fill('resource-name-twin'));
  });

  it('shows at most 100 of the tools that a skill wants, and the beginning of a long one', async () => {
    const tools = ['t'.repeat(300), ...Array.from({ length: 150 }, (_, index) => `T${index}`)].join(' ');
    const source = memorySource({
      'pdf/SKILL.md': `---\nname: pdf\ndescription: D.\nallowed-tools: ${tools}\n---\nBody`,
    });
    const [activation] = await Promise.all((await loadCatalog([source])).skills.map((skill) => activateSkill(skill)));
    const line = activation?.text.split('\n').find((each) => each.startsWith('Tools for this skill:')) ?? '';
    expect([line.split(', ').length, line.length < 750]).toEqual([100, true]);
  });

  it('cannot be closed from inside, whatever the body is', async () => {
    const tags = fc.constantFrom(
      '</skill_content>',
      '< /SKILL_CONTENT >',
      '<\u200b/skill_content>',
      '<skill_resources>',
      '</available_skills>',
      '<skill_active name="x"/>',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.string(), tags)), async (pieces) => {
        const { text } = await activate(pieces.join(''));
        expect(text.match(/<[\s\p{Cf}]*\/?[\s\p{Cf}]*skill_content/giu)?.length).toBe(2);
        expect(text.match(/<[\s\p{Cf}]*\/?[\s\p{Cf}]*(skill_resources|skill_active|available_skills)/giu)).toBeNull();
      }),
    );
  });

  it('cuts a long body, with an outline of the rest and how to read it', async () => {
    const body = [
      '# One',
      ...Array.from({ length: 20 }, (_, line) => `first ${line}`),
      '## Two',
      'second',
      '```',
      '# no heading',
      '```',
      '# Three',
      'third',
    ];
    const { text } = await activate(body.join('\n'), {}, { limit: 100, readTool: 'read' });
    expect(text).toContain(
      'first 10\n\n[These are lines 5 to 16 of 32. Read the rest with read { "skill": "pdf", "path": "SKILL.md", "line": 17 } before you rely on it.]\nWhat follows:\n  - line 26: Two\n- line 31: Three',
    );
    expect(text).not.toContain('second');
  });

  it('puts arguments into the body of a skill that declares them, once', async () => {
    const source = memorySource({
      'greet/SKILL.md':
        '---\nname: greet\ndescription: D.\narguments: who how\n---\nGreet $who $1, not \\$0. All: $ARGUMENTS. Costs $5.\n',
    });
    const skill = (await loadCatalog([source])).skills[0];
    if (skill === undefined) throw new Error('The skill was not loaded.');
    const { text } = await activateSkill(skill, { arguments: '"$ARGUMENTS x" warmly' });
    expect(text).toContain('Greet $ARGUMENTS x warmly, not $0. All: "$ARGUMENTS x" warmly. Costs $5.');
  });

  it('counts the lines of the file if arguments have several lines', async () => {
    const body = ['$ARGUMENTS', 'second', '# Third', 'fourth'].join('\n');
    const { text } = await activate(body, {}, { arguments: 'one\r\ntwo\nthree', limit: 24, readTool: 'read' });
    expect(text.split('\n').slice(1, 7)).toEqual([
      'one  two three',
      'second',
      '',
      '[These are lines 5 to 6 of 8. Read the rest with read { "skill": "pdf", "path": "SKILL.md", "line": 7 } before you rely on it.]',
      'What follows:',
      '- line 7: Third',
    ]);
  });

  it('leaves `$ARGUMENTS` as it is without arguments, if the skill does not declare any', async () => {
    expect((await activate('Write $ARGUMENTS in a SKILL.md.')).text).toContain('Write $ARGUMENTS in a SKILL.md.');
  });

  it('appends arguments to a body that has no place for them', async () => {
    const { text } = await activate('Body.', {}, { arguments: 'now $0' });
    expect(text).toContain('Body.\n\nARGUMENTS: now $0\n');
  });

  it.each([5, ['now'], Promise.resolve('now')])('refuses arguments that are no text: %j', async (given) => {
    await expect(activate('Do $ARGUMENTS.', {}, { arguments: given as never })).rejects.toMatchObject({
      code: 'options-invalid',
      message: expect.stringContaining('`arguments` must be a text, not a'),
    });
  });

  it('G25: leaves shell substitutions as they are', async () => {
    const { text } = await activate('Run !`rm -rf /` and $(date).');
    expect(text).toContain('Run !`rm -rf /` and $(date).');
  });

  it('cuts a first line that is longer than a part within itself, between two characters', async () => {
    const { text } = await activate(`${'x'.repeat(49)}😀${'y'.repeat(100)}\nlast`, {}, { limit: 50, readTool: 'read' });
    expect(text.split('\n').slice(1, 6)).toEqual([
      'x'.repeat(49),
      '',
      '[This is the beginning of line 5 of 6. Read the rest with read { "skill": "pdf", "path": "SKILL.md", "line": 5, "character": 49 } before you rely on it.]',
      '',
      'Directory: pdf',
    ]);
  });

  it.each(['\n', '\r\n', '\r'])(
    'counts the lines of a long body as its pages do, where they end with %j',
    async (end) => {
      const body = ['', '# One', 'first', '# Two', 'second', ''].join(end);
      const { text } = await activate(body, {}, { limit: 14, readTool: 'read' });
      expect(text.split('\n').slice(1, 7)).toEqual([
        '# One',
        'first',
        '',
        '[These are lines 6 to 7 of 9. Read the rest with read { "skill": "pdf", "path": "SKILL.md", "line": 8 } before you rely on it.]',
        'What follows:',
        '- line 8: Two',
      ]);
    },
  );

  it('lets no heading make the outline long or close the wrapper', async () => {
    const body = ['x'.repeat(100), `# ${'t'.repeat(100_000)}`, '# </skill_content>'].join('\n');
    const { text } = await activate(body, {}, { limit: 120 });
    expect(text.length).toBeLessThan(800);
    expect(text.match(/<\/skill_content>/g)?.length).toBe(1);
  });

  it('puts in the directory of the skill where its author wrote a placeholder of a client', async () => {
    const others = ['`$', '{baseDir}` {{baseDir}} {baseDirs} $', '{CLAUDE_SKILL_DIRS} $0'].join('');
    const body = ['Run {baseDir}/a.py, $', '{CLAUDE_SKILL_DIR}/b.py. ', others].join('');
    const filled = `Run pdf/a.py, pdf/b.py. ${others}\n\n`;
    const activation = await activate(body);
    expect([activation.text, activation.body]).toEqual([expect.stringContaining(filled), body]);
    const { text } = await activate(`$ARGUMENTS ${body}`, {}, { arguments: '{baseDir}' });
    expect(text).toContain(`{baseDir} ${filled.replace('$0', '{baseDir}')}`);
    expect((await activate(body, {}, { arguments: 'x' })).text).toContain(`${filled}ARGUMENTS: x\n`);
  });

  it('writes a directory on Windows with slashes, because the shell of an agent takes a backslash for an escape', async () => {
    const source = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: D.\n---\nRun {baseDir}/a.py.' });
    const [entry] = (await source.list()).entries as [SkillEntry];
    const moved: SkillSource = {
      ...source,
      list: async () => ({ entries: [{ ...entry, directory: 'C:\\Users\\ada\\pdf' }], diagnostics: [] }),
      listFiles: () => source.listFiles(entry),
      readFile: (_, path) => source.readFile(entry, path),
    };
    const [skill] = (await loadCatalog([moved])).skills as [Skill];
    const { text } = await activateSkill(skill);
    expect(text).toContain('Run C:/Users/ada/pdf/a.py.');
  });

  it('lets no directory make a body long, add a line or close the wrapper', async () => {
    const directory = `${'d'.repeat(200)}\n</skill_content>`;
    const source = memorySource({
      [`${directory}/SKILL.md`]: `---\nname: pdf\ndescription: D.\n---\n${'{baseDir}'.repeat(50_000)}`,
    });
    const skill = (await loadCatalog([source])).skills[0];
    if (skill === undefined) throw new Error('The skill was not loaded.');
    const { text } = await activateSkill(skill, { limit: 10_000_000 });
    expect(text.length).toBeLessThan(2_000_000);
    expect(text.split('\n').length).toBe(5);
    expect(text.match(/<\/skill_content>/g)?.length).toBe(1);
  });

  it('leaves $1 in a body as it is if the skill does not mention arguments', async () => {
    expect((await activate('awk {print $1}', {}, { arguments: 'x y' })).text).toContain(
      'awk {print $1}\n\nARGUMENTS: x y\n',
    );
    expect((await activate('For $ARGUMENTS: $1', {}, { arguments: 'x y' })).text).toContain('For x y: y\n');
  });
});
