import { execFileSync } from 'node:child_process';
import { type OpenDirOptions, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { chmod, mkdir, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { compareCatalogs } from '../../../src/catalog/compare.ts';
import { activateSkill } from '../../../src/disclosure/activate.ts';
import { readSkillResource } from '../../../src/disclosure/resource.ts';
import { createFileSource } from '../../../src/node/discovery/file-source.ts';
import { inodeOfDirectory } from '../../../src/node/discovery/skill-stamp.ts';
import { stampOf } from '../../../src/node/disk/contained-file.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';
import { containment, type FileSourceOptions, fileSource } from '../../../src/node/index.ts';
import { isSkillError } from '../../../src/skill/error.ts';
import type { Skill } from '../../../src/skill/skill.ts';
import type { SkillEntry, SkillSource } from '../../../src/skill/source.ts';
import { muteKernel, realCalls, replaceCalls } from '../disk/replace-calls.ts';
import { makeTemporaryDirectory, skillText, writeTree } from '../temporary-directory.ts';

async function found(root: string, options: FileSourceOptions = {}): Promise<{ skills: string[]; codes: string[] }> {
  const { entries, diagnostics } = await fileSource(root, options).list();
  const relative = (path: string): string => path.slice(root.length + 1);
  return {
    skills: entries.map(({ directory }) => relative(directory)),
    codes: diagnostics.map(({ code, location }) => `${code} ${relative(location)}`.trim()),
  };
}

async function only(source: SkillSource): Promise<SkillEntry> {
  const { entries } = await source.list();
  expect(entries).toHaveLength(1);
  return entries[0] as SkillEntry;
}

async function readText(skill: Skill, path: string): Promise<string> {
  return new TextDecoder().decode(await skill.source.readFile(skill, path));
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isSkillError(error)) throw new Error('Expected a SkillError', { cause: error });
  return error.code;
}

describe('list', () => {
  it('returns the head, the size and the paths of a skill', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'pdf/SKILL.md': skillText('pdf'), 'pdf/agents/openai.yaml': 'a: 1\n' });
    await setTimeout(60);
    const stamps = ['SKILL.md', 'agents/openai.yaml'].map((path) => stampOf(statSync(join(root, 'pdf', path))));
    const { entries, diagnostics } = await fileSource(root).list();
    expect(diagnostics).toEqual([]);
    expect(entries).toEqual([
      {
        directory: join(root, 'pdf'),
        location: join(root, 'pdf', 'SKILL.md'),
        identity: join(root, 'pdf'),
        inode: inodeOfDirectory(nodeFileSystem, statSync(join(root, 'pdf')), join(root, 'pdf')),
        head: new TextEncoder().encode(skillText('pdf', '')),
        bytes: skillText('pdf').length,
        sidecar: new TextEncoder().encode('a: 1\n'),
        stamp: stamps.join(' '),
      },
    ]);
  });

  it('reads only the beginning of a long file', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'short/SKILL.md': skillText('short', 'x'.repeat(100_000)),
      'unclosed/SKILL.md': `---\n${'a: b\n'.repeat(10_000)}`,
    });
    const { entries } = await fileSource(root).list();
    const frontmatter = skillText('short', '');
    const [short, unclosed] = entries.map(({ head, bytes }) => [new TextDecoder().decode(head), bytes]);
    expect(short).toEqual([frontmatter, frontmatter.length + 100_000]);
    expect(unclosed).toEqual([`---\n${'a: b\n'.repeat(1000)}`.slice(0, 4096), 50_004]);
  });

  it('finds skills in groups down to its depth, sorted by path', async () => {
    const root = await makeTemporaryDirectory();
    for (const path of ['b', 'a', 'B', 'group/c', 'group/x/d', '1/2/3/4', '1/2/3/4b/5']) {
      await writeTree(root, { [`${path}/SKILL.md`]: skillText('x') });
    }
    expect(await found(root)).toEqual({ skills: ['1/2/3/4', 'B', 'a', 'b', 'group/c', 'group/x/d'], codes: [] });
    expect(await found(root, { depth: 1 })).toEqual({ skills: ['B', 'a', 'b'], codes: [] });
  });

  it('finds no skill inside a skill, in hidden directories, .git or node_modules', async () => {
    const root = await makeTemporaryDirectory();
    for (const path of ['a', 'a/nested', '.hidden/b', '.git/c', 'node_modules/d', 'a/node_modules/e']) {
      await writeTree(root, { [`${path}/SKILL.md`]: skillText('x') });
    }
    expect(await found(root)).toEqual({ skills: ['a'], codes: [] });
  });

  it('finds skills in hidden directories with `hidden`, but still none in .git or node_modules', async () => {
    const root = await makeTemporaryDirectory();
    for (const path of ['a', 'b/.claude/skills/c', '.git/d', '.x/node_modules/e']) {
      await writeTree(root, { [`${path}/SKILL.md`]: skillText('x') });
    }
    expect(await found(root, { hidden: true })).toEqual({ skills: ['a', 'b/.claude/skills/c'], codes: [] });
  });

  it('finds the skills below a root that is a skill itself, but none inside those', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'SKILL.md': skillText('x'),
      'nested/SKILL.md': skillText('y'),
      'nested/inner/SKILL.md': skillText('inner'),
      'skills/z/SKILL.md': skillText('z'),
    });
    expect(await found(root)).toEqual({ skills: ['', 'nested', 'skills/z'], codes: [] });
    expect(await found(root, { depth: 1 })).toEqual({ skills: ['', 'nested'], codes: [] });
  });

  it.each(['tmp', 'trash', 'broken'])('never lists what an interrupted write left behind: .%s', async (suffix) => {
    const root = await makeTemporaryDirectory();
    const left = `.a.0123456789ab.${suffix}`;
    await writeTree(root, {
      'a/SKILL.md': skillText('a'),
      [`a/${left}`]: 'x',
      [`${left}/SKILL.md`]: skillText('a'),
      'a/more/SKILL.md': skillText('b'),
      [`.b.0123456789ab.${suffix}`]: { link: 'a/more' },
    });
    const options = { hidden: true };
    expect(await found(root, options)).toEqual({ skills: ['a'], codes: [] });
    const source = fileSource(root, options);
    expect(await source.listFiles(await only(source))).toEqual({ files: [], truncated: false });
  });

  it('searches the child `skills` of a root instead, unless `skillsChild` is false', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'skills/a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') });
    expect(await found(root, { depth: 1 })).toEqual({
      skills: ['skills/a'],
      codes: ['skill-beside-skills b/SKILL.md'],
    });
    expect(await found(root, { depth: 1, skillsChild: false })).toEqual({ skills: ['b'], codes: [] });
    expect(await found(join(root, 'skills'), { depth: 1 })).toEqual({ skills: ['a'], codes: [] });
  });

  it('searches a root called `skills` even if it has a child `skills`', async () => {
    const root = join(await makeTemporaryDirectory(), 'skills');
    await writeTree(root, { 'skills/a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') });
    expect(await found(root, { depth: 2 })).toEqual({ skills: ['b', 'skills/a'], codes: [] });
  });

  it('reports the skills beside the child `skills`, but none that it finds or never looks for', async () => {
    const top = await makeTemporaryDirectory();
    await writeTree(top, {
      'store/linked/SKILL.md': skillText('linked'),
      'root/skills/a/SKILL.md': skillText('a'),
      'root/b/SKILL.md': skillText('b'),
      'root/c': { link: '../store/linked' },
      'root/to-a': { link: 'skills/a' },
      'root/to-skills': { link: 'skills' },
      'root/gone': { link: 'nowhere' },
      'root/docs/readme.md': '',
      'root/group/deeper/SKILL.md': skillText('deeper'),
      'root/.hidden/SKILL.md': skillText('hidden'),
      'root/node_modules/SKILL.md': skillText('x'),
    });
    const root = join(top, 'root');
    const beside = async (options: FileSourceOptions = {}) => {
      const { entries, diagnostics } = await fileSource(root, options).list();
      expect(entries.map(({ directory }) => directory)).toEqual([join(root, 'skills/a')]);
      return diagnostics.map(
        ({ code, severity, location }) => `${code} ${severity} ${location.slice(root.length + 1)}`,
      );
    };
    const seen = ['b', 'c'].map((name) => `skill-beside-skills warning ${name}/SKILL.md`);
    expect(await beside()).toEqual(seen);
    expect(await beside({ hidden: true })).toEqual(['skill-beside-skills warning .hidden/SKILL.md', ...seen]);
  });

  it('checks at most 500 entries beside the child `skills`, and says if there are more', async () => {
    const root = await makeTemporaryDirectory();
    const add = (from: number, to: number) =>
      writeTree(
        root,
        Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`s${from + n}/SKILL.md`, skillText('s')])),
      );
    await writeTree(root, { 'skills/a/SKILL.md': skillText('a') });
    await add(0, 499);
    const { diagnostics: all } = await fileSource(root).list();
    expect([all.length, new Set(all.map(({ code }) => code))]).toEqual([499, new Set(['skill-beside-skills'])]);
    await add(499, 600);
    const { diagnostics } = await fileSource(root).list();
    const [first, ...others] = diagnostics;
    expect([first?.code, first?.severity, first?.location, first?.message]).toEqual([
      'scan-truncated',
      'warning',
      root,
      'The scan stopped at 500 entries beside the directory `skills`; skills may be missing.',
    ]);
    // One of the 500 may be `skills` itself.
    expect(others.length).toBeOneOf([499, 500]);
    expect(new Set(others.map(({ code }) => code))).toEqual(new Set(['skill-beside-skills']));
  });

  it.runIf(process.platform === 'linux')(
    'names a directory or a link whose name is not UTF-8, and loads one that is',
    async () => {
      const root = await makeTemporaryDirectory();
      const raw = (...parts: readonly (string | number)[]): Buffer =>
        Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));
      await writeTree(root, {
        'group/ok/SKILL.md': skillText('ok'),
        'mark-\ufffd/SKILL.md': skillText('mark'),
        'twin-\ufffd/SKILL.md': skillText('twin'),
        'gone-\ufffd': { link: 'nowhere' },
      });
      for (const name of ['caf', 'group/the', 'twin-', '.hidden', 'node_modules/x']) {
        for (const byte of [0xe8, 0xe9]) {
          const directory = raw(`${root}/${name}`, byte);
          await mkdir(directory, { recursive: true });
          await writeFile(raw(`${root}/${name}`, byte, '/SKILL.md'), skillText('cafe'));
        }
      }
      await symlink('group/ok', raw(`${root}/link`, 0xe9));
      await writeFile(raw(`${root}/file`, 0xe9), '');
      expect(await found(root)).toEqual({
        skills: ['group/ok', 'mark-\ufffd', 'twin-\ufffd'],
        codes: [
          'directory-name-encoding caf\ufffd',
          'skill-broken-link gone-\ufffd',
          'directory-name-encoding group/the\ufffd',
          'directory-name-encoding link\ufffd',
          'directory-name-encoding twin-\ufffd',
        ],
      });
      expect(await found(root, { depth: 1 })).toMatchObject({ skills: ['mark-\ufffd', 'twin-\ufffd'] });
    },
  );

  it('finds a linked skill once, by its own name if both are there', async () => {
    const root = await makeTemporaryDirectory();
    const elsewhere = await makeTemporaryDirectory();
    await writeTree(elsewhere, { 'store/pdf/SKILL.md': skillText('pdf') });
    await writeTree(root, {
      'b/SKILL.md': skillText('b'),
      a: { link: 'b' },
      pdf: { link: join(elsewhere, 'store/pdf') },
      'pdf-again': { link: join(elsewhere, 'store/pdf') },
    });
    expect(await found(root)).toEqual({ skills: ['b', 'pdf'], codes: [] });
  });

  it('walks through links to directories unless `followSymlinks` is false, and never in circles', async () => {
    const root = await makeTemporaryDirectory();
    const elsewhere = await makeTemporaryDirectory();
    await writeTree(elsewhere, { 'pdf/SKILL.md': skillText('pdf'), back: { link: root }, again: { link: '.' } });
    await writeTree(root, {
      'a/SKILL.md': skillText('a'),
      more: { link: elsewhere },
      same: { link: elsewhere },
      'sub/loop': { link: '..' },
    });
    expect(await found(root)).toEqual({ skills: ['a', 'more/pdf'], codes: [] });
    expect(await found(root, { followSymlinks: false })).toEqual({ skills: ['a'], codes: [] });
  });

  it('searches behind links no deeper and no wider than anywhere else', async () => {
    const directory = await makeTemporaryDirectory();
    const root = join(directory, 'root');
    for (const path of ['team/x', 'team/1/x', 'team/1/2/x']) {
      await writeTree(directory, { [`${path}/SKILL.md`]: skillText('x') });
    }
    await writeTree(root, { team: { link: '../team' } });
    expect(await found(root, { depth: 3 })).toEqual({ skills: ['team/1/x', 'team/x'], codes: [] });
    expect(await found(root, { maxDirectories: 2 })).toEqual({ skills: ['team/x'], codes: ['scan-truncated'] });
  });

  it('does not search what is above its root because a link leads there', async () => {
    const directory = await makeTemporaryDirectory();
    await writeTree(directory, {
      'root/a/SKILL.md': skillText('a'),
      'root/up': { link: '../..' },
      'beside/b/SKILL.md': skillText('b'),
    });
    expect(await found(join(directory, 'root'))).toEqual({ skills: ['a'], codes: [] });
  });

  it('reports broken links and ignores links to files', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'a/SKILL.md': skillText('a'),
      'b/SKILL.md': { link: 'nowhere.md' },
      dangling: { link: 'nowhere' },
      loop: { link: 'loop' },
      file: { link: 'a/SKILL.md' },
    });
    expect(await found(root)).toEqual({
      skills: ['a'],
      codes: ['skill-broken-link b/SKILL.md', 'skill-broken-link dangling', 'skill-broken-link loop'],
    });
    expect(await found(join(root, 'b'))).toEqual({ skills: [], codes: ['skill-broken-link SKILL.md'] });
  });

  it('reads a linked SKILL.md inside its skill and none outside', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'secret.md': skillText('secret'),
      'a/SKILL.md': { link: 'docs/real.md' },
      'a/docs/real.md': skillText('a'),
      'b/SKILL.md': { link: '../secret.md' },
      'c/SKILL.md': { link: '/etc/passwd' },
    });
    expect(await found(root)).toEqual({
      skills: ['a'],
      codes: ['skill-outside-root b/SKILL.md', 'skill-outside-root c/SKILL.md'],
    });
  });

  it('reads no linked SKILL.md if `followFileLinks` is false', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'a/SKILL.md': { link: 'docs/real.md' },
      'a/docs/real.md': skillText('a'),
      'b/SKILL.md': skillText('b'),
      c: { link: 'b' },
    });
    expect(await found(root, { followFileLinks: false })).toEqual({
      skills: ['b'],
      codes: ['skill-file-special a/SKILL.md'],
    });
    expect((await found(root)).skills).toEqual(['a', 'b']);
  });

  it('names files that differ from SKILL.md in case, or by an ending that an editor added', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'a/skill.md': skillText('a'),
      'b/Skill.MD': skillText('b'),
      'c/SKILL.md': skillText('c'),
      'd/SKILL.md.txt': skillText('d'),
      'e/SKILL.md.bak': skillText('e'),
    });
    expect(await found(root, { depth: 1 })).toEqual({
      skills: ['c'],
      codes: ['skill-file-case a/skill.md', 'skill-file-case b/Skill.MD', 'skill-file-case d/SKILL.md.txt'],
    });
  });

  it('leaves out special files and directories at once', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'a/SKILL.md': skillText('a'),
      'b/SKILL.md': { directory: 0o755 },
      c: { directory: 0o755 },
    });
    execFileSync('mkfifo', [join(root, 'c', 'SKILL.md')]);
    // Opening a pipe like a file would wait for a writer forever.
    expect(await found(root)).toEqual({
      skills: ['a'],
      codes: ['skill-file-special b/SKILL.md', 'skill-file-special c/SKILL.md'],
    });
  });

  it('reports a root that is missing or not a directory', async () => {
    const root = await makeTemporaryDirectory();
    await writeFile(join(root, 'file'), '');
    expect(await found(join(root, 'nowhere'))).toEqual({ skills: [], codes: ['root-missing'] });
    expect(await found(join(root, 'file'))).toEqual({ skills: [], codes: ['root-unreadable'] });
  });

  it('reports that it stopped at its limit', async () => {
    const root = await makeTemporaryDirectory();
    for (let n = 0; n < 20; n += 1) await mkdir(join(root, `empty-${n}`));
    await writeTree(root, { 'a/b/SKILL.md': skillText('b') });
    expect(await found(root, { maxDirectories: 5 })).toEqual({ skills: ['a/b'], codes: ['scan-truncated'] });
    expect(await found(root, { maxDirectories: 22 })).toEqual({ skills: ['a/b'], codes: [] });
  });

  it('searches hidden directories last, so that a cache does not use up the limit of all others', async () => {
    const directory = await makeTemporaryDirectory();
    const root = join(directory, 'root');
    for (let n = 0; n < 20; n += 1) await mkdir(join(root, `.cache/${n}/empty`), { recursive: true });
    const skills = ['root/.tools/other', 'root/group/a/b/own', 'team/theirs', 'more/.deep/.deeper/late'];
    for (const path of skills) await writeTree(directory, { [`${path}/SKILL.md`]: skillText('x') });
    await symlink('../team', join(root, 'team'));
    await symlink('../../more', join(root, '.tools/more'));
    const options = { hidden: true, followSymlinks: true };
    expect(await found(root, { ...options, maxDirectories: 9 })).toEqual({
      skills: ['.tools/other', 'group/a/b/own', 'team/theirs'],
      codes: ['scan-truncated'],
    });
    expect(await found(root, { ...options, depth: 6 })).toEqual({
      skills: ['.tools/more/.deep/.deeper/late', '.tools/other', 'group/a/b/own', 'team/theirs'],
      codes: [],
    });
  });

  it('ends with the reason of its signal', async () => {
    const root = await makeTemporaryDirectory();
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(fileSource(root).list({ signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('listFiles', () => {
  it('lists the files that can be read, sorted, without SKILL.md, nested skills, .git, .svn and node_modules', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'a/SKILL.md': skillText('a'),
      'a/references/b.md': 'bb',
      'a/references/a.md': 'a',
      'a/references/link.md': { link: 'a.md' },
      'a/references/out.md': { link: '/etc/passwd' },
      'a/up': { link: '..' },
      'a/Z.txt': 'zzz',
      'a/.git/config': 'x',
      'a/.svn/entries': 'x',
      'a/node_modules/p/index.js': 'x',
      'a/nested/SKILL.md': skillText('nested'),
      'a/nested/c.md': 'c',
      'a/odd:name': 'x',
    });
    execFileSync('mkfifo', [join(root, 'a', 'pipe')]);
    const source = fileSource(root);
    expect(await source.listFiles(await only(source))).toEqual({
      files: [
        { path: 'Z.txt', bytes: 3 },
        { path: 'odd:name', bytes: 1 },
        { path: 'references/a.md', bytes: 1 },
        { path: 'references/b.md', bytes: 2 },
        { path: 'references/link.md', bytes: 1 },
      ],
      truncated: false,
    });
  });

  it('lists no file that a file manager or Python left there, so that looking at a skill or running it changes nothing', async () => {
    const root = await makeTemporaryDirectory();
    const left = [
      '.DS_Store',
      'scripts/._a.py',
      'Thumbs.db',
      'assets/Desktop.ini',
      'scripts/__pycache__/a.cpython-312.pyc',
    ];
    const kept = ['.gitignore', 'assets/desktop.ini.md', 'scripts/__pycache__.md', 'scripts/a.py'];
    const paths = [...left, ...kept, '__MACOSX/._SKILL.md'];
    await writeTree(root, {
      'a/SKILL.md': skillText('a'),
      ...Object.fromEntries(paths.map((path) => [`a/${path}`, 'x'])),
    });
    const source = fileSource(root);
    const { files } = await source.listFiles(await only(source));
    expect(files.map(({ path }) => path)).toEqual(kept);
  });

  it('ends the files of a skill at the root where another `SKILL.md` begins, whether that is a skill or not', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'SKILL.md': skillText('outer'),
      'notes/a.md': 'own',
      'broken/SKILL.md': 'no frontmatter',
      'broken/x/key': 'SECRET',
      '1/2/3/4/5/SKILL.md': skillText('too-deep'),
      '1/2/3/4/5/key': 'SECRET',
      '1/2/3/4/5/6/7/key': 'SECRET',
      '.hidden/SKILL.md': { link: 'nowhere' },
      '.hidden/key': 'SECRET',
      alias: { link: 'broken' },
      'notes/link.md': { link: '../broken/x/key' },
    });
    const source = fileSource(root);
    const [skill] = (await source.list()).entries as [SkillEntry];
    expect((await source.listFiles(skill)).files).toEqual([{ path: 'notes/a.md', bytes: 3 }]);
    const inner = ['broken/SKILL.md', 'broken/x/key', '1/2/3/4/5/key', '1/2/3/4/5/6/7/key', '.hidden/key'];
    for (const path of [...inner, 'alias/x/key', 'notes/link.md']) {
      const unknown = { code: 'resource-unknown', message: `There is no file \`${path}\` in the skill.` };
      await expect(source.readFile(skill, path, { fromListing: true })).rejects.toMatchObject(unknown);
    }
    expect(String(await source.readFile(skill, 'notes/a.md'))).toBe(String(new TextEncoder().encode('own')));
  });

  it('finds a skill once to which a `SKILL.md` in the root is a link', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'SKILL.md': { link: 'docs/SKILL.md' }, 'docs/SKILL.md': skillText('docs') });
    const { skills, diagnostics } = await loadCatalog([fileSource(root)]);
    expect(diagnostics.map(({ code, location }) => [code, location])).toEqual([
      ['skill-outside-root', join(root, 'SKILL.md')],
    ]);
    expect(await Promise.all(skills.map(async (skill) => (await activateSkill(skill)).body))).toEqual(['# Title']);
  });

  it.each([
    ['in', 'skills'],
    ['at', 'skills/pdf'],
  ])('lists and reads a skill %s the root that Kubernetes mounted, until the volume changes', async (_, place) => {
    const root = await makeTemporaryDirectory();
    const mount = join(root, 'skills/pdf');
    await writeTree(mount, {
      '..1/SKILL.md': skillText('pdf'),
      '..1/scripts/run.sh': 'old',
      '..data': { link: '..1' },
      'SKILL.md': { link: '..data/SKILL.md' },
      scripts: { link: '..data/scripts' },
    });
    const source = fileSource(join(root, place), { hidden: true });
    const { skills, diagnostics } = await loadCatalog([source]);
    expect([skills.map(({ directory }) => directory), diagnostics]).toEqual([[mount], []]);
    const [skill] = skills as [Skill];
    expect((await source.listFiles(skill)).files).toEqual([{ path: 'scripts/run.sh', bytes: 3 }]);
    expect(new TextDecoder().decode(await source.readFile(skill, 'scripts/run.sh'))).toBe('old');

    await chmod(mount, 0o777);
    const unsafe = place === 'skills' ? 'skill-unsafe' : 'root-unsafe';
    expect((await source.list()).diagnostics.map(({ code }) => code)).toContain(unsafe);

    await writeTree(mount, { '..2/SKILL.md': skillText('pdf'), '..2/scripts/run.sh': 'new' });
    await symlink('..2', join(mount, '..tmp'));
    await rename(join(mount, '..tmp'), join(mount, '..data'));
    await rm(join(mount, '..1'), { recursive: true });
    await expect(source.readFile(skill, 'scripts/run.sh')).rejects.toMatchObject({ code: 'resource-unreadable' });
    const [changed] = (await loadCatalog([source])).skills as [Skill];
    expect(new TextDecoder().decode(await source.readFile(changed, 'scripts/run.sh'))).toBe('new');
  });

  it.each([
    ['in', 'skills'],
    ['at', 'skills/pdf'],
  ])('lists and reads what is mounted inside a volume %s the root, too', async (_, place) => {
    const root = await makeTemporaryDirectory();
    await writeTree(join(root, 'skills/pdf'), {
      '..1/SKILL.md': skillText('pdf'),
      '..1/guide.md': 'guide',
      '..data': { link: '..1' },
      'SKILL.md': { link: '..data/SKILL.md' },
      'guide.md': { link: '..data/guide.md' },
      'scripts/run.sh': 'run',
    });
    const source = fileSource(join(root, place));
    const { skills, diagnostics } = await loadCatalog([source]);
    expect([skills.map(({ name }) => name), diagnostics]).toEqual([['pdf'], []]);
    const [skill] = skills as [Skill];
    expect((await source.listFiles(skill)).files.map(({ path }) => path)).toEqual(['guide.md', 'scripts/run.sh']);
    expect([await readText(skill, 'guide.md'), await readText(skill, 'scripts/run.sh')]).toEqual(['guide', 'run']);
  });

  it('finds a skill whose volume is replaced at this moment', async () => {
    const root = await makeTemporaryDirectory();
    const mount = join(root, 'pdf');
    await writeTree(mount, {
      '..1/SKILL.md': skillText('pdf'),
      '..data': { link: '..1' },
      'SKILL.md': { link: '..data/SKILL.md' },
    });
    let replaced = 0;
    replaceCalls({
      opendirSync(path: string, options: OpenDirOptions) {
        if (path === mount && replaced === 0) {
          replaced += 1;
          renameSync(join(mount, '..1'), join(mount, '..2'));
          rmSync(join(mount, '..data'));
          symlinkSync('..2', join(mount, '..data'));
        }
        return realCalls.opendirSync(path, options);
      },
    });
    expect([await found(root), replaced]).toEqual([{ skills: ['pdf'], codes: [] }, 1]);
  });

  it('loads a `SKILL.md` that is a link to a file with another name', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'pdf/..all/pdf.md': skillText('pdf'), 'pdf/SKILL.md': { link: '..all/pdf.md' } });
    expect((await loadCatalog([fileSource(root)])).skills.map(({ name }) => name)).toEqual(['pdf']);
  });

  it('reads a template that is a `SKILL.md`, because nothing below a skill is another one', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/assets/new/SKILL.md': 'name: TODO' });
    const source = fileSource(root);
    const content = await source.readFile(await only(source), 'assets/new/SKILL.md');
    expect(new TextDecoder().decode(content)).toBe('name: TODO');
  });

  it('lists the first 2,000 files by name, at most eight directories deep, and says if there are more', async () => {
    const root = await makeTemporaryDirectory();
    const deep = 'd/'.repeat(8);
    await writeTree(root, { 'a/SKILL.md': skillText('a'), [`a/${deep}in.md`]: '', 'b/SKILL.md': skillText('b') });
    const source = fileSource(root);
    const [a, b] = (await source.list()).entries as [SkillEntry, SkillEntry];
    expect(await source.listFiles(a)).toEqual({ files: [{ path: `${deep}in.md`, bytes: 0 }], truncated: false });
    await writeTree(root, { [`a/${deep}d/out.md`]: '' });
    expect(await source.listFiles(a)).toEqual({ files: [{ path: `${deep}in.md`, bytes: 0 }], truncated: true });
    await mkdir(join(root, 'b/many'));
    const names = Array.from({ length: 2500 }, (_, n) => `${n}`);
    for (const name of names) await writeFile(join(root, 'b/many', name), '');
    const listed = names.sort().slice(0, 1998);
    expect(await source.listFiles(b)).toEqual({
      files: listed.map((name) => ({ path: `many/${name}`, bytes: 0 })),
      truncated: true,
    });
    await writeFile(join(root, 'b/many/SKILL.md'), '');
    expect((await source.listFiles(b)).files).toEqual([]);
  });

  it('says that files are missing if only those in directories are too many', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/z/last.md': '' });
    // With the `SKILL.md` and the directory, these are 2,000 names.
    for (let n = 0; n < 1998; n += 1) await writeFile(join(root, 'a', `${n}`), '');
    const source = fileSource(root);
    const { files, truncated } = await source.listFiles(await only(source));
    expect([files.length, truncated]).toEqual([1998, true]);
  });
});

it('listFiles lists nothing of a directory that took the place of the skill, and says so', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/x.md': 'old' });
  const source = fileSource(root);
  const skill = await only(source);
  await rename(join(root, 'a'), join(root, 'old'));
  expect(await source.listFiles(skill)).toEqual({ files: [], truncated: true });
  await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/y.md': 'new' });
  expect(await source.listFiles(skill)).toEqual({ files: [], truncated: true });
  const [found] = (await source.list()).entries;
  expect(await source.listFiles(found as SkillEntry)).toEqual({
    files: [{ path: 'y.md', bytes: 3 }],
    truncated: false,
  });
  await rm(join(root, 'a'), { recursive: true });
  await writeTree(root, { a: { link: 'old' } });
  expect(await source.listFiles(skill)).toEqual({ files: [], truncated: true });
});

it.runIf(process.platform !== 'win32')('list warns of a root that everyone can write to', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'a/SKILL.md': skillText('a') });
  const at = async (mode: number) => {
    await chmod(root, mode);
    return found(root);
  };
  expect([await at(0o777), await at(0o1777), await at(0o775)]).toEqual([
    { skills: ['a'], codes: ['root-unsafe'] },
    { skills: ['a'], codes: [] },
    { skills: ['a'], codes: [] },
  ]);
});

it.skipIf(process.platform === 'win32')('judges directories between the root and its skills, too', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, {
    'a/SKILL.md': skillText('a'),
    'group/deep/b/SKILL.md': skillText('b'),
    'group/c/SKILL.md': '',
    'other/d/SKILL.md': skillText('d'),
  });
  await chmod(join(root, 'group/deep'), 0o777);
  const skills = ['a', 'group/c', 'group/deep/b', 'other/d'];
  expect(await found(root)).toEqual({ skills, codes: ['root-unsafe group/deep'] });
  const withheld = { skills: ['a', 'group/c', 'other/d'], codes: ['root-refused group/deep'] };
  expect(await found(root, { safeUpTo: root })).toEqual(withheld);
  expect((await found(root, { safeUpTo: root, allowUnsafe: true })).skills).toEqual(skills);
  // Nothing in it would be searched.
  expect(await found(root, { safeUpTo: root, depth: 2 })).toEqual({ ...withheld, codes: [] });
  await chmod(join(root, 'other'), 0o777);
  expect((await found(root)).codes).toEqual(['root-unsafe other']);
  await chmod(root, 0o777);
  expect((await found(root)).codes).toEqual(['root-unsafe']);
});

it.skipIf(process.platform === 'win32')('reports once for all skills that other users can change', async () => {
  const root = await makeTemporaryDirectory();
  await writeTree(root, { 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b'), 'c/SKILL.md': skillText('c') });
  const source = fileSource(root, { id: 'mine' });
  const at = async (mode: number, fileMode: number) => {
    await chmod(join(root, 'a'), mode);
    await chmod(join(root, 'c/SKILL.md'), fileMode);
    const { entries, diagnostics } = await source.list();
    return [entries.length, diagnostics];
  };
  const unsafe = (count: number, skill: string) => ({
    code: 'skill-unsafe',
    severity: 'warning',
    message: `Other users can change ${count} of the skills in this directory, such as \`${skill}\`: everyone can write to it.`,
    hint: expect.any(String),
    source: 'mine',
    location: root,
  });
  expect(await at(0o775, 0o664)).toEqual([3, []]);
  expect(await at(0o777, 0o666)).toEqual([3, [unsafe(2, 'a')]]);
  expect(await at(0o755, 0o646)).toEqual([3, [unsafe(1, 'c')]]);
  // Says the same about skills that have not changed since.
  await setTimeout(60);
  const catalog = await loadCatalog([source]);
  const reloaded = await loadCatalog([source], { previous: catalog });
  expect([catalog.diagnostics, reloaded.diagnostics]).toEqual([[unsafe(1, 'c')], [unsafe(1, 'c')]]);
  await chmod(root, 0o777);
  expect((await found(root)).codes).toEqual(['root-unsafe']);
});

describe('readFile', () => {
  it('reads the bytes of a file, or only the first of them', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/refs/x.bin': 'abcdef' });
    const source = fileSource(root);
    const skill = await only(source);
    expect(await source.readFile(skill, 'refs/x.bin')).toEqual(new TextEncoder().encode('abcdef'));
    expect(await source.readFile(skill, './refs/x.bin', { length: 3, maxBytes: 1 })).toEqual(
      new TextEncoder().encode('abc'),
    );
    expect(await source.readFile(skill, 'refs/x.bin', { length: 99 })).toEqual(new TextEncoder().encode('abcdef'));
    expect(await codeOf(source.readFile(skill, 'refs/x.bin', { maxBytes: 5 }))).toBe('resource-too-large');
  });

  it('refuses files that are missing, special, outside or too large, each with its code', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'a/SKILL.md': skillText('a'),
      'a/up': { link: '..' },
      'a/passwd': { link: '/etc/passwd' },
      'a/zero': { link: '/dev/zero' },
      'a/loop': { link: 'loop' },
      'a/sparse': '',
      'ab/key': 'SECRET',
    });
    await truncate(join(root, 'a/sparse'), 2 ** 34);
    execFileSync('mkfifo', [join(root, 'a', 'pipe')]);
    const source = fileSource(root);
    const skill = await only(source);
    const codes: Record<string, string> = {};
    for (const path of [
      'nowhere',
      'up/ab/key',
      '../ab/key',
      'passwd',
      'zero',
      'loop',
      'sparse',
      'pipe',
      'up',
      'SKILL.md/x',
    ]) {
      codes[path] = await codeOf(source.readFile(skill, path));
    }
    expect(codes).toEqual({
      nowhere: 'resource-unknown',
      'up/ab/key': 'resource-outside-skill',
      '../ab/key': 'resource-outside-skill',
      passwd: 'resource-outside-skill',
      zero: 'resource-outside-skill',
      loop: 'resource-unreadable',
      sparse: 'resource-too-large',
      pipe: 'resource-unreadable',
      up: 'resource-outside-skill',
      'SKILL.md/x': 'resource-unknown',
    });
  });

  const exchanges: readonly (readonly [string, (root: string) => Promise<void>])[] = [
    ['is gone', async () => undefined],
    ['was replaced by a new one', (root) => writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/x.md': 'new' })],
    ['was replaced by another skill', (root) => rename(join(root, 'other'), join(root, 'a'))],
    ['was replaced by a link to itself', (root) => writeTree(root, { a: { link: 'b' } })],
    ['was replaced by a file', (root) => writeTree(root, { a: 'file' })],
  ];

  it.each(exchanges)('refuses everything and asks for a reload if the directory %s', async (_, exchange) => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/x.md': 'old' });
    await writeTree(root, { 'other/SKILL.md': skillText('a'), 'other/x.md': 'other' });
    const catalog = await loadCatalog([fileSource(root)]);
    const skill = catalog.skills.find(({ directory }) => directory === join(root, 'a')) as Skill;
    await rename(join(root, 'a'), join(root, 'b'));
    await exchange(root);
    const message =
      'The directory of the skill has been moved or replaced since the catalog was loaded. Reload the catalog.';
    await expect(skill.source.readFile(skill, 'x.md')).rejects.toMatchObject({ code: 'resource-unreadable', message });
    await expect(activateSkill(skill)).rejects.toMatchObject({
      code: 'skill-unreadable',
      message: `The instructions of \`a\` cannot be read: ${message}`,
    });
    expect(await skill.source.listFiles(skill)).toEqual({ files: [], truncated: true });
    const unproven = (await importUnproven())(root);
    await expect(unproven.readFile(skill, 'x.md')).rejects.toMatchObject({ code: 'resource-unreadable', message });
    expect(await unproven.listFiles(skill)).toEqual({ files: [], truncated: true });
  });

  it('refuses a directory that was removed and made again, until it was found again', async () => {
    const root = await makeTemporaryDirectory();
    const tree = { 'a/SKILL.md': skillText('a'), 'a/x.md': 'x' };
    await writeTree(root, tree);
    const before = await loadCatalog([fileSource(root)]);
    await rm(join(root, 'a'), { recursive: true });
    await setTimeout(5);
    await writeTree(root, tree);
    const [old] = before.skills as [Skill];
    expect(await codeOf(old.source.readFile(old, 'x.md'))).toBe('resource-unreadable');
    const after = await loadCatalog([fileSource(root)], { previous: before });
    const [now] = after.skills as [Skill];
    expect(await readText(now, 'x.md')).toBe('x');
    expect(compareCatalogs(before, after).changed).toEqual([now]);
  });

  it('notices that the target of a linked file was written, and that the link was changed', async () => {
    const root = await makeTemporaryDirectory();
    const texts = { 'a/one.md': skillText('a', 'Body 1.'), 'a/two.md': skillText('a', 'Body 2.') };
    await writeTree(root, { ...texts, 'a/SKILL.md': { link: 'one.md' } });
    await setTimeout(60);
    const first = await loadCatalog([fileSource(root)]);
    await writeFile(join(root, 'a/one.md'), skillText('a', 'Body 3.'));
    await setTimeout(60);
    const second = await loadCatalog([fileSource(root)], { previous: first });
    expect(compareCatalogs(first, second).changed).toEqual(second.skills);
    await rm(join(root, 'a/SKILL.md'));
    await symlink('two.md', join(root, 'a/SKILL.md'));
    const third = await loadCatalog([fileSource(root)], { previous: second });
    expect(compareCatalogs(second, third).changed).toEqual(third.skills);
  });

  it('reads a file that was written again, and what was added', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/x.md': 'old' });
    const [skill] = (await loadCatalog([fileSource(root)])).skills as [Skill];
    await writeTree(root, { 'a/x.md.new': 'new', 'a/y.md': 'added' });
    await rename(join(root, 'a/x.md.new'), join(root, 'a/x.md'));
    expect([await readText(skill, 'x.md'), await readText(skill, 'y.md')]).toEqual(['new', 'added']);
  });

  it('F10: reads only what is really in the given directories of the skill, links included', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, {
      'a/SKILL.md': skillText('a'),
      'a/references/own.md': 'own',
      'a/references/alias.md': { link: 'own.md' },
      'a/references/logo': { link: '../assets/logo' },
      'a/references/more': { link: '../scripts' },
      'a/references/run.sh': { link: '../scripts/run.sh' },
      'a/assets/logo': 'logo',
      'a/scripts/run.sh': 'run',
      'a/docs': { link: 'scripts' },
    });
    const [skill] = (await loadCatalog([fileSource(root)])).skills as [Skill];
    const read = async (path: string, ...directories: string[]) => {
      const { text } = await readSkillResource(skill, path, { directories }).catch((error: Error) => ({
        text: error.message,
      }));
      return text;
    };
    const only = 'leads out of `references/`.';
    expect(await read('references/own.md', 'references')).toBe('own');
    expect(await read('references/alias.md', './references/')).toBe('own');
    expect(await read('references/logo', 'references', 'assets')).toBe('logo');
    expect(await read('references/logo', 'references')).toBe(`\`references/logo\` ${only}`);
    expect(await read('references/run.sh', 'references')).toBe(`\`references/run.sh\` ${only}`);
    expect(await read('references/more/run.sh', 'references')).toBe(`\`references/more/run.sh\` ${only}`);
    expect(await read('docs/run.sh', 'docs')).toBe('`docs/run.sh` leads out of `docs/`.');
    expect(await read('scripts/run.sh', 'references')).toBe(
      'Only files below `references/` can be read, not `scripts/run.sh`.',
    );
  });

  it('keeps the paths of the host out of its messages', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a'), 'a/loop': { link: 'loop' } });
    const source = fileSource(root);
    const skill = await only(source);
    for (const path of ['nowhere', 'loop', '../x']) {
      const error = await source.readFile(skill, path).catch((reason: unknown) => reason as Error);
      expect(`${error}`).not.toContain(root);
    }
  });

  it('does not know a skill that it did not find', async () => {
    const root = await makeTemporaryDirectory();
    const skill = { directory: root, location: join(root, 'SKILL.md') };
    expect(await codeOf(fileSource(root).readFile(skill, 'SKILL.md'))).toBe('skill-unknown');
  });
});

describe.runIf(process.platform === 'linux')('containment', () => {
  it('is answered by the kernel on Linux', () => {
    expect(containment()).toBe('kernel');
  });
});

/** Loads the source anew for a kernel that cannot be asked. */
async function importUnproven(): Promise<typeof fileSource> {
  // The kernel is asked only once, so what was loaded before has its answer.
  vi.resetModules();
  replaceCalls(muteKernel);
  return (await import('../../../src/node/discovery/file-source.ts')).fileSource;
}

it('reports once a listing that containment is not proven, if there are skills', async () => {
  const root = await makeTemporaryDirectory();
  const createUnproven = await importUnproven();
  const list = async () => {
    const { entries, diagnostics } = await createUnproven(root, { id: 'here' }).list();
    const found = diagnostics.map(({ code, severity, source, location }) => [code, severity, source, location]);
    return [entries.length, ...found];
  };
  expect(await list()).toEqual([0]);
  await writeTree(root, { 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') });
  expect(await list()).toEqual([2, ['containment-best-effort', 'info', 'here', root]]);
});

describe('list with known entries', () => {
  it('reads the skills that changed, and no others', async () => {
    const root = await makeTemporaryDirectory();
    const names = ['same', 'edited', 'restored', 'moved', 'sidecar', 'linked'];
    for (const name of names) await writeTree(root, { [`${name}/SKILL.md`]: skillText(name) });
    await writeTree(root, { 'linked/real.md': skillText('linked'), 'sidecar/agents/openai.yaml': 'a: 1\n' });
    await rm(join(root, 'linked/SKILL.md'));
    await writeTree(root, { 'linked/SKILL.md': { link: 'real.md' } });
    const source = fileSource(root);
    const list = async (known: readonly SkillEntry[]) => {
      const { entries } = await source.list({ known: new Map(known.map((entry) => [entry.directory, entry])) });
      return {
        entries,
        unchanged: entries
          .filter(({ head }) => head.length === 0)
          .map((entry) => entry.directory.slice(root.length + 1)),
      };
    };
    await setTimeout(60);
    const first = await list([]);
    expect(first.unchanged).toEqual([]);
    const second = await list(first.entries);
    expect(second.unchanged).toEqual(['edited', 'moved', 'restored', 'same', 'sidecar']);
    expect(second.entries.map(({ head, sidecar, ...kept }) => kept)).toEqual(
      first.entries.map(({ head, sidecar, ...kept }) => kept),
    );

    const before = await stat(join(root, 'restored/SKILL.md'));
    await writeFile(join(root, 'restored/SKILL.md'), skillText('RESTORED'));
    await utimes(join(root, 'restored/SKILL.md'), before.atime, before.mtime);
    await writeFile(join(root, 'edited/SKILL.md'), skillText('edited', 'More.'));
    await rename(join(root, 'moved'), join(root, 'old'));
    await mkdir(join(root, 'moved'));
    await rename(join(root, 'old/SKILL.md'), join(root, 'moved/SKILL.md'));
    await writeFile(join(root, 'sidecar/agents/openai.yaml'), 'b: 2\n');
    const third = await list(second.entries);
    expect(third.unchanged).toEqual(['same']);
    const moved = third.entries.find(({ directory }) => directory === join(root, 'moved'));
    expect(new TextDecoder().decode(await source.readFile(moved as SkillEntry, 'SKILL.md'))).toBe(skillText('moved'));
  });

  it('returns no stamp for a file that was just written, because it may change again within one tick', async () => {
    const root = await makeTemporaryDirectory();
    await writeTree(root, { 'a/SKILL.md': skillText('a') });
    const justWritten: FileSystem = {
      ...nodeFileSystem,
      fstat: (descriptor) => Object.assign(nodeFileSystem.fstat(descriptor), { ctimeMs: Date.now() }),
    };
    expect((await only(createFileSource(justWritten, root, {}))).stamp).toBeUndefined();
  });
});
