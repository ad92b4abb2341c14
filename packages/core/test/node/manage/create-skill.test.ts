import fs, { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, utimes } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { parseSkill } from '../../../src/format/parse.ts';
import { replaceFile } from '../../../src/node/disk/write.ts';
import { fileSource, removeSkill, type SkillDraft, writeSkill } from '../../../src/node/index.ts';
import type { Skill } from '../../../src/skill/skill.ts';
import { startProgram } from '../process.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

async function load(root: string, scope = 'user'): Promise<Map<string, Skill>> {
  const { skills } = await loadCatalog([fileSource(root, { scope })]);
  return new Map(skills.map((skill) => [skill.name, skill]));
}

async function get(root: string, name: string, scope?: string): Promise<Skill> {
  const skill = (await load(root, scope)).get(name);
  if (skill === undefined) throw new Error(`There is no skill ${name}.`);
  return skill;
}

describe('writeSkill', () => {
  it('creates a skill that is found', async () => {
    const root = join(await makeTemporaryDirectory(), 'not/there/yet');
    const created = await writeSkill(root, {
      name: 'pdf',
      description: 'Works with PDF files.',
      instructions: '# PDF\n\nDo it.\n',
    });
    expect(created).toEqual({ directory: join(root, 'pdf'), location: join(root, 'pdf/SKILL.md') });
    expect(await readFile(created.location, 'utf8')).toBe(
      '---\nname: pdf\ndescription: Works with PDF files.\n---\n\n# PDF\n\nDo it.\n',
    );
    expect((await get(root, 'pdf')).description).toBe('Works with PDF files.');
    expect(await readdir(root)).toEqual(['pdf']);
  });

  it.each<object | null>([
    null,
    { description: undefined },
    { description: 7 },
    { description: 7, metadata: { description: 'd' } },
    { instructions: ['Do it.'] },
    { license: null },
    { whenToUse: {} },
    { allowedTools: 'Read' },
    { arguments: [7] },
    { extensions: null },
    { disableModelInvocation: 'false' },
    { userInvocable: null },
    { internal: 1 },
    { metadata: 'x' },
    { metadata: { version: 1, description: 'd' } },
  ])('writes nothing for a draft with a value of the wrong type: %j', async (wrong) => {
    const root = await makeTemporaryDirectory();
    const draft: unknown = wrong && { name: 'pdf', description: 'd', ...wrong };
    await expect(writeSkill(root, draft as SkillDraft)).rejects.toMatchObject({ code: 'options-invalid' });
    expect(await readdir(root)).toEqual([]);
  });

  it('takes a property without a value as one that is left out', async () => {
    const root = await makeTemporaryDirectory();
    const names = 'license compatibility metadata allowedTools disableModelInvocation userInvocable internal whenToUse';
    const all = [...names.split(' '), 'argumentHint', 'arguments', 'extensions', 'instructions'];
    const draft = { ...Object.fromEntries(all.map((key) => [key, undefined])), name: 'pdf', description: 'Does it.' };
    const { location } = await writeSkill(root, draft);
    expect(await readFile(location, 'utf8')).toBe('---\nname: pdf\ndescription: Does it.\n---\n');
  });

  it('returns the location that a source lists, also for a relative root', async () => {
    const root = await makeTemporaryDirectory();
    const { location } = await writeSkill(relative(process.cwd(), root), { name: 'pdf', description: 'd' });
    expect(location).toBe((await get(root, 'pdf')).location);
  });

  it.runIf(process.platform !== 'win32')('uses the umask for what it creates', async () => {
    const root = await makeTemporaryDirectory();
    const before = process.umask(0o027);
    try {
      await writeSkill(join(root, 'skills'), { name: 'pdf', description: 'd' });
      await replaceFile(join(root, 'skills/README.md'), 'About skills.', { mode: 0o666 });
      await replaceFile(join(root, 'skills/private.md'), 'My skills.');
    } finally {
      process.umask(before);
    }
    const paths = ['skills', 'skills/pdf', 'skills/pdf/SKILL.md', 'skills/README.md', 'skills/private.md'];
    const modes = paths.map(async (path) => {
      const { mode } = await stat(join(root, path));
      return (mode & 0o777).toString(8);
    });
    expect(await Promise.all(modes)).toEqual(['750', '750', '640', '640', '600']);
  });

  it.each([
    'ok\nallowed-tools: Bash(*)\nhooks:\n  a: b',
    'a\n---\n# body',
    'Colon: here # and "quotes" \'too\'',
    'true',
    '- list',
    '{{braces}} & $& $1',
    'Ünïcode \u2028 \u0085 😀',
    '*alias and &anchor, !tag @at `tick` %percent',
  ])('I02, I03: keeps the description %j in the description', async (description) => {
    const root = await makeTemporaryDirectory();
    const { location } = await writeSkill(root, { name: 'x', description, instructions: '---\nname: y\n---' });
    const { properties, body } = parseSkill(await readFile(location, 'utf8'), { directoryName: 'x' });
    expect({ ...properties, metadata: {}, extensions: {} }).toMatchObject({ name: 'x', description, allowedTools: [] });
    expect(Object.keys(properties?.extensions ?? {})).toEqual([]);
    expect(body).toBe('---\nname: y\n---');
  });

  it.each([
    '../../evil',
    '/etc/x',
    'a/b',
    '',
    '.',
    'Upper',
    'two--hyphens',
    'with space',
    'x'.repeat(65),
    'a\nb',
    'con',
    'cafe\u0301',
    '\uff41\uff42\uff43',
  ])('I01: refuses the name %j and writes nothing', async (name) => {
    const root = await makeTemporaryDirectory();
    await expect(writeSkill(root, { name, description: 'TODO: describe it.' })).rejects.toMatchObject({
      code: 'options-invalid',
      message: expect.stringMatching(/^`.*` is not a valid skill name: expected 1 to 64 [^.]*\.(?: Try `.*`\.)?$/su),
    });
    expect(await readdir(root)).toEqual([]);
  });

  it('refuses a description that the specification refuses', async () => {
    const root = await makeTemporaryDirectory();
    for (const description of ['', 'x'.repeat(1025)]) {
      await expect(writeSkill(root, { name: 'x', description })).rejects.toMatchObject({ code: 'options-invalid' });
    }
    expect(await readdir(root)).toEqual([]);
  });

  it('refuses a property that does not exist, instead of leaving it out', async () => {
    const root = await makeTemporaryDirectory();
    const draft = Object.assign({ body: 'Do it.' }, { name: 'x', description: 'd' });
    await expect(writeSkill(root, draft)).rejects.toThrow(
      'unknown key `body`; expected one of name, description, instructions,',
    );
    expect(await readdir(root)).toEqual([]);
  });

  it('refuses an option that does not exist', async () => {
    const root = await makeTemporaryDirectory();
    const options: object = { inside: root };
    await expect(writeSkill(root, { name: 'x', description: 'd' }, options)).rejects.toMatchObject({
      code: 'options-invalid',
    });
    expect(await readdir(root)).toEqual([]);
  });

  it('refuses a root without a path, or with a URL, which would be below the working directory', async () => {
    const draft = { name: 'never-written', description: 'd' };
    for (const root of ['', 'file:///tmp/skills', new URL('file:///tmp/skills') as unknown as string])
      await expect(writeSkill(root, draft)).rejects.toMatchObject({ code: 'options-invalid' });
    expect(existsSync('never-written')).toBe(false);
  });

  it('accepts a description that is left to the author', async () => {
    const root = await makeTemporaryDirectory();
    const { location } = await writeSkill(root, { name: 'x', description: 'TODO: what it does.' });
    expect(await readFile(location, 'utf8')).toBe('---\nname: x\ndescription: "TODO: what it does."\n---\n');
  });

  it('I04: changes nothing that exists: a skill, a file or a link', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': 'old', b: 'file', c: { link: 'nowhere' }, 'd/other.md': 'kept' });
    for (const name of ['a', 'b', 'c', 'd']) {
      await expect(writeSkill(root, { name, description: 'new' })).rejects.toMatchObject({ code: 'skill-exists' });
    }
    expect((await readdir(root, { recursive: true })).sort()).toEqual(['a', 'a/SKILL.md', 'b', 'c', 'd', 'd/other.md']);
    expect(await readFile(join(root, 'a/SKILL.md'), 'utf8')).toBe('old');
  });

  it('I05: has one winner when several processes create the same skill at the same moment', async () => {
    const root = await makeTemporaryDirectory();
    const program = new URL('./create-program.ts', import.meta.url);
    const racers = Array.from({ length: 3 }, () => {
      const racer = startProgram(program, root);
      onTestFinished(() => void racer.kill('SIGKILL'));
      return { stdin: racer.stdin, lines: createInterface({ input: racer.stdout })[Symbol.asyncIterator]() };
    });
    const next = () => Promise.all(racers.map(async ({ lines }) => (await lines.next()).value));
    expect(await next()).toEqual(['ready', 'ready', 'ready']);
    for (let n = 0; n < 50; n += 1) {
      for (const { stdin } of racers) stdin.write(`s${n}\n`);
      expect((await next()).sort()).toEqual(['lost', 'lost', 'won']);
    }
    const skills = await load(root);
    expect(skills.size).toBe(50);
    for (const { bytes, description } of skills.values()) {
      expect([bytes > 50_000, /^By \d+\.$/.test(description)]).toEqual([true, true]);
    }
    expect(await readdir(root, { recursive: true })).toHaveLength(2 * skills.size);
  });

  it('removes what a crash left behind, but nothing that is in use', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      '.a.0123456789ab.tmp/SKILL.md': 'x',
      '.b.0123456789ab.trash/SKILL.md': 'x',
      '.own/x': 'x',
    });
    await utimes(join(root, '.a.0123456789ab.tmp'), 0, 0);
    await writeSkill(root, { name: 'x', description: 'd' });
    expect((await readdir(root)).sort()).toEqual(['.b.0123456789ab.trash', '.own', 'x']);
  });
});

it.runIf(process.platform === 'linux')('fails at once below /proc, where no directory can be created', async () => {
  await expect(writeSkill('/proc/skillful/skills', { name: 'x', description: 'd' })).rejects.toMatchObject({
    code: 'write-failed',
  });
});

it.runIf(process.platform !== 'win32')('fails with a code if it may not even look at what it wrote', async () => {
  const root = await makeTemporaryDirectory();
  await mkdir(join(root, 'closed'), { mode: 0 });
  await chmod(root, 0o755);
  const isSuperuser = process.getuid?.() === 0;
  if (isSuperuser) process.seteuid?.(65_534);
  try {
    const written = [
      writeSkill(join(root, 'closed'), { name: 'x', description: 'd' }),
      replaceFile(join(root, 'closed/x'), 'text'),
    ];
    for (const each of written) await expect(each).rejects.toMatchObject({ code: 'write-failed' });
  } finally {
    if (isSuperuser) process.seteuid?.(0);
  }
});

it.runIf(process.platform !== 'win32')('removes a read-only skill, and says that it may not read one', async () => {
  const root = await makeTemporaryDirectory();
  await chmod(root, 0o777);
  const isSuperuser = process.getuid?.() === 0;
  if (isSuperuser) process.seteuid?.(65_534);
  try {
    await writeTree(root, { 'x/SKILL.md': skillText('x'), 'x/references/a.md': 'a' });
    const skill = await get(root, 'x');
    await chmod(join(root, 'x'), 0);
    await expect(removeSkill(skill)).rejects.toMatchObject({ code: 'write-failed', cause: { code: 'EACCES' } });
    for (const path of ['x', 'x/references']) await chmod(join(root, path), 0o555);
    await removeSkill(skill);
    expect(await readdir(root)).toEqual([]);
  } finally {
    if (isSuperuser) process.seteuid?.(0);
  }
});

it('writes and removes what has as long a name as a disk takes', async () => {
  const root = await makeTemporaryDirectory();
  const [file, directory] = [join(root, 'f'.repeat(250)), 'd'.repeat(250)];
  await replaceFile(file, 'text');
  expect(await readFile(file, 'utf8')).toBe('text');
  await writeTree(root, { [`${directory}/SKILL.md`]: skillText('long') });
  await removeSkill(await get(root, 'long'));
  expect(await readdir(root)).toEqual(['f'.repeat(250)]);
});

it('writes the other properties of the specification', async () => {
  const root = await makeTemporaryDirectory();
  const draft = {
    name: 'x',
    description: 'd',
    license: 'MIT',
    allowedTools: ['Bash(git add *)', 'Read'],
    metadata: { version: '1.10' },
  };
  await writeSkill(root, draft);
  expect((await get(root, 'x')).properties).toMatchObject(draft);
});

describe('removeSkill', () => {
  it('removes a whole user skill', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/scripts/x.sh': '', 'b/SKILL.md': skillText('b') });
    await removeSkill(await get(root, 'a'));
    expect(await readdir(root)).toEqual(['b']);
  });

  it('protects other scopes, unless forced', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a') });
    const skill = await get(root, 'a', 'project');
    await expect(removeSkill(skill)).rejects.toMatchObject({ code: 'skill-protected' });
    await removeSkill(skill, { force: true });
    expect(await readdir(root)).toEqual([]);
  });

  it('removes only the link if the skill is one', async () => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, {
      'store/a/SKILL.md': skillText('a'),
      'skills/a': { link: '../store/a' },
      'skills/b/inner': { link: '../../store' },
      'skills/b/SKILL.md': skillText('b'),
    });
    const skills = await load(join(top, 'skills'));
    for (const skill of skills.values()) await removeSkill(skill);
    expect(await readdir(join(top, 'skills'))).toEqual([]);
    expect(await readFile(join(top, 'store/a/SKILL.md'), 'utf8')).toBe(skillText('a'));
  });

  it('keeps what replaced the skill since it was found', async () => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, {
      'skills/a/SKILL.md': skillText('a'),
      'skills/c/SKILL.md': skillText('c'),
      'skills/d/SKILL.md': skillText('d'),
      'mine/keep.md': 'x',
    });
    const skills = await load(join(top, 'skills'));
    writeFileSync(join(top, 'skills/d/SKILL.md'), skillText('another'));
    await rename(join(top, 'skills/a'), join(top, 'old'));
    await mkdir(join(top, 'skills/a'));
    await writeTree(top, { 'skills/a/other.md': 'x' });
    await rename(join(top, 'skills/c'), join(top, 'old-c'));
    await symlink('../mine', join(top, 'skills/c'));
    for (const skill of skills.values())
      await expect(removeSkill(skill)).rejects.toMatchObject({ code: 'skill-unknown' });
    expect((await readdir(top, { recursive: true })).filter((path) => /\.md$/.test(path)).sort()).toEqual([
      'mine/keep.md',
      'old-c/SKILL.md',
      'old/SKILL.md',
      'skills/a/other.md',
      'skills/c/keep.md',
      'skills/d/SKILL.md',
    ]);
  });

  it('keeps a skill of the same name that a directory above now leads to', async () => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, { 'skills/a/SKILL.md': skillText('a'), 'mine/a/SKILL.md': skillText('a') });
    const skill = await get(join(top, 'skills'), 'a');
    await rename(join(top, 'skills'), join(top, 'old'));
    await symlink('mine', join(top, 'skills'));
    // A source need not know the inode.
    for (const found of [skill, { ...skill, inode: undefined }])
      await expect(removeSkill(found)).rejects.toMatchObject({ code: 'skill-unknown' });
    expect((await readdir(top, { recursive: true })).filter((path) => /\.md$/.test(path)).sort()).toEqual([
      'mine/a/SKILL.md',
      'old/a/SKILL.md',
      'skills/a/SKILL.md',
    ]);
  });

  describe('puts back what it moved away', () => {
    /** Finds the skill `a`, and runs the first change just before its directory is moved away, the second before it is put back. */
    async function prepare(...changes: readonly ((directory: string) => void)[]) {
      const root = await makeTemporaryDirectory();
      await writeTree(root, { 'a/SKILL.md': skillText('a') });
      const skill = await get(root, 'a');
      const { renameSync } = fs;
      let renamed = 0;
      fs.renameSync = (from, to) => {
        changes[renamed++]?.(join(root, 'a'));
        renameSync(from, to);
      };
      syncBuiltinESMExports();
      onTestFinished(() => {
        fs.renameSync = renameSync;
        syncBuiltinESMExports();
      });
      return { root, skill };
    }

    const replace = (directory: string) => {
      rmSync(directory, { recursive: true });
      mkdirSync(directory);
      writeFileSync(join(directory, 'keep.md'), '');
    };

    it('if it was replaced at the last moment', async () => {
      const { root, skill } = await prepare(replace);
      await expect(removeSkill(skill)).rejects.toMatchObject({ code: 'skill-unknown' });
      expect(await readdir(root, { recursive: true })).toEqual(['a', 'a/keep.md']);
    });

    it('if another skill appeared in it at the last moment', async () => {
      const fill = (directory: string) => {
        mkdirSync(join(directory, 'b'));
        writeFileSync(join(directory, 'b/SKILL.md'), skillText('b'));
      };
      const { root, skill } = await prepare(fill);
      await expect(removeSkill(skill)).rejects.toMatchObject({ code: 'skill-protected' });
      expect(existsSync(join(root, 'a/b/SKILL.md'))).toBe(true);
    });

    it('beside what has its name by then', async () => {
      const { root, skill } = await prepare(replace, (directory) => writeFileSync(directory, ''));
      await expect(removeSkill(skill)).rejects.toMatchObject({ code: 'skill-unknown' });
      const broken = expect.stringMatching(/^\.a\.[0-9a-f]{12}\.broken$/);
      expect((await readdir(root)).sort()).toEqual([broken, 'a']);
    });
  });

  it.each([true, false])('keeps a skill behind a link, with a root: %s', async (hasRoot) => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, { 'store/a/SKILL.md': skillText('a'), 'skills/link': { link: '../store' } });
    const { root, ...source } = fileSource(join(top, 'skills'), { scope: 'user' });
    const { skills } = await loadCatalog([hasRoot ? { ...source, ...(root !== undefined && { root }) } : source]);
    for (const skill of skills) {
      await expect(removeSkill(skill)).rejects.toThrow('`a` is behind the link `link`, so others may use it.');
    }
    expect([skills.length, existsSync(join(top, 'store/a/SKILL.md'))]).toEqual([1, true]);
  });

  it('keeps a skill of a project if its root is a link out of the project, unless forced', async () => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, { 'store/a/SKILL.md': skillText('a'), 'work/skills': { link: '../store' } });
    const source = fileSource(join(top, 'work/skills'), { project: join(top, 'work') });
    const [skill] = (await loadCatalog([source])).skills;
    if (skill === undefined) throw new Error('no skill');
    await expect(removeSkill(skill, { scope: 'project' })).rejects.toMatchObject({
      code: 'skill-protected',
      message: expect.stringContaining('`a` is outside the project, so others may use it.'),
    });
    expect(existsSync(join(top, 'store/a/SKILL.md'))).toBe(true);
    await removeSkill(skill, { force: true });
    expect(await readdir(join(top, 'store'))).toEqual([]);
  });

  it('says that a skill is gone', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a') });
    const skill = await get(root, 'a');
    await removeSkill(skill);
    await expect(removeSkill(skill)).rejects.toMatchObject({ code: 'skill-unknown' });
  });
});
