import { describe, expect, it } from 'vitest';
import { createToolkit, loadCatalog, type MessageView, memorySource, type SkillSource } from '../../src/index.ts';

const skillFile = (name: string, body: string, more = ''): string =>
  `---\nname: ${name}\ndescription: D.\n${more}---\n${body}\n`;
const user = (text: string): MessageView => ({ key: '1', role: 'user', text });

async function direct(files: Readonly<Record<string, string>>, source: SkillSource = memorySource(files)) {
  return createToolkit(await loadCatalog([source]), { mode: 'direct' });
}

describe('the mode direct', () => {
  it('puts the instructions themselves into the prompt, and offers no tool to activate', async () => {
    const toolkit = await direct({
      'a/SKILL.md': skillFile('a', 'Body of a.'),
      'b/SKILL.md': skillFile('b', 'Body of b.'),
    });
    const { system, hiddenTools } = await toolkit.prepare([]);
    expect(toolkit.tools.filter(({ name }) => !hiddenTools.includes(name))).toEqual([]);
    expect(system.split('\n').filter((line) => /^(?:##|Follow|<skill_content|Body|Not shown)/.test(line))).toEqual([
      '## Skills',
      'Follow the instructions of a skill when its task comes up.',
      expect.stringMatching(/^<skill_content name="a"/),
      'Body of a.',
      expect.stringMatching(/^<skill_content name="b"/),
      'Body of b.',
    ]);
    expect((await toolkit.prepare([])).system).toBe(system);
  });

  it('offers the tool to read if a body is too long for the prompt', async () => {
    const toolkit = await direct({ 'a/SKILL.md': skillFile('a', 'word\n'.repeat(2_000)) });
    const { system } = await toolkit.prepare([]);
    expect(toolkit.tools.map(({ name }) => name)).toEqual(['read_skill_resource']);
    expect(system).toContain('Read the rest with read_skill_resource { "skill": "a", "path": "SKILL.md", "line": ');
  });

  it('names what does not fit, and reads no more than fits', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `skill-${String(index).padStart(3, '0')}`);
    const inner = memorySource(
      Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, skillFile(name, 'w '.repeat(3_900))])),
    );
    let reads = 0;
    const counting: SkillSource = {
      ...inner,
      readFile: (...call) => {
        reads++;
        return inner.readFile(...call);
      },
    };
    const { system } = await (await direct({}, counting)).prepare([]);
    const shown = system.match(/<skill_content /g)?.length ?? 0;
    expect({ shown: shown > 10 && shown < 14, reads: reads === shown + 1 }).toEqual({ shown: true, reads: true });
    const last = system.split('\n').at(-1) ?? '';
    expect([last.startsWith(`Not shown: ${names[shown]}, `), last.endsWith(` and ${300 - shown - 100} more.`)]).toEqual(
      [true, true],
    );
  });

  it('keeps to the tokens that the application sets', async () => {
    const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}/SKILL.md`, skillFile(name, 'Body.')]));
    const catalog = await loadCatalog([memorySource(files)]);
    const plan = { budget: { tokens: 40 } };
    const { system } = await createToolkit(catalog, { mode: 'direct', plan }).prepare([]);
    expect([system.match(/<skill_content name="[a-c]"/g), system.split('\n').at(-1)]).toEqual([
      ['<skill_content name="a"', '<skill_content name="b"'],
      'Not shown: c.',
    ]);
  });

  it('names what the application defers, and says nothing without skills', async () => {
    const catalog = await loadCatalog([memorySource({ 'a/SKILL.md': skillFile('a', 'Body of a.') })]);
    const systemOf = async (show: 'deferred' | 'hidden') =>
      (await createToolkit(catalog, { mode: 'direct', plan: { show: () => show } }).prepare([])).system;
    expect((await systemOf('deferred')).split('\n').at(-1)).toBe('Not shown: a.');
    expect(await systemOf('hidden')).toBe('');
  });

  it('names a skill that cannot be read', async () => {
    const inner = memorySource({ 'a/SKILL.md': skillFile('a', 'Body.') });
    const broken: SkillSource = { ...inner, readFile: () => Promise.reject(new Error('gone')) };
    expect((await (await direct({}, broken)).prepare([])).system.split('\n').at(-1)).toBe('Not shown: a.');
  });

  it('does not attach what the prompt has already, unless a user gave arguments', async () => {
    const toolkit = await direct({
      'a/SKILL.md': skillFile('a', 'Body of a.'),
      'greet/SKILL.md': skillFile('greet', 'Greet $who.', 'arguments: who\n'),
      'manual/SKILL.md': skillFile('manual', 'Body of manual.', 'disable-model-invocation: true\n'),
    });
    const attach = async (text: string) => JSON.stringify((await toolkit.prepare([user(text)])).edits);
    expect(await attach('/a')).toBe('[]');
    expect(await attach('/greet ada')).toContain('Greet ada.');
    expect(await attach('$manual')).toContain('Body of manual.');
    expect((await toolkit.prepare([])).system).not.toContain('manual');
  });
});

describe('the mode awareness', () => {
  const files = { 'a/SKILL.md': skillFile('a', 'word\n'.repeat(5_000)), 'a/references/b.md': 'B' };

  it('shows where the files are, and has no tools', async () => {
    const toolkit = createToolkit(await loadCatalog([memorySource(files)]), { mode: 'awareness' });
    expect(toolkit.tools).toEqual([]);
    const { system } = await toolkit.prepare([]);
    expect(system).toBe(
      '## Skills\n\nBefore a task that a skill covers, read its SKILL.md and follow it. Paths in it are relative to its directory.\n\n- a (a/SKILL.md): D.',
    );
    expect(await toolkit.correctCall({ name: 'a', input: {} })).toBeUndefined();
  });

  it('points to no tool that is not there', async () => {
    const toolkit = createToolkit(await loadCatalog([memorySource(files)]), {
      mode: 'awareness',
      reattach: { tokens: 6_000 },
    });
    const { state } = await toolkit.prepare([user('$a')]);
    const text = JSON.stringify((await toolkit.prepare([{ ...user('Go.'), key: '2' }], { state })).edits);
    expect(text).toContain('Read the rest before you rely on it.');
    expect(text).not.toMatch(/activate_skill|read_skill_resource/);
  });
});
