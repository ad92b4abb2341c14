// `skillful list`, run as a process over real directories.

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makePlace, skillText, writeTree } from '../command.ts';

const namesIn = (stdout: string): readonly string[] =>
  (JSON.parse(stdout) as { skills: { name: string }[] }).skills.map(({ name }) => name);

describe('list --json', () => {
  it('prints every field of every skill, and no diagnostics if there are no problems', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      'skills/pdf/SKILL.md': skillText('pdf'),
      'skills/größe/SKILL.md':
        '---\nname: größe\ndescription: Misst 長さ.\ndisable-model-invocation: true\nuser-invocable: false\n---\nGo.\n',
    });
    const { code, stdout, stderr } = await skillful('list', '--root', 'skills', '--json');
    const root = join(work, 'skills');
    expect({ code, stderr, output: JSON.parse(stdout) }).toEqual({
      code: 0,
      stderr: '',
      output: {
        skills: [
          {
            name: 'größe',
            id: 'project:größe',
            description: 'Misst 長さ.',
            scope: 'project',
            source: root,
            directory: join(root, 'größe'),
            location: join(root, 'größe/SKILL.md'),
            enabled: true,
            trusted: true,
            modelInvocable: false,
            userInvocable: false,
          },
          {
            name: 'pdf',
            id: 'project:pdf',
            description: 'About pdf.',
            scope: 'project',
            source: root,
            directory: join(root, 'pdf'),
            location: join(root, 'pdf/SKILL.md'),
            enabled: true,
            trusted: true,
            modelInvocable: true,
            userInvocable: true,
          },
        ],
        diagnostics: [],
      },
    });
  });

  it.runIf(process.platform !== 'win32')(
    'does not wait for settings that are a pipe, and enables nothing',
    async () => {
      const { home, work, skillful } = await makePlace();
      await writeTree(work, { 'skills/pdf/SKILL.md': skillText('pdf') });
      await mkdir(join(home, '.config/skillful'), { recursive: true });
      await promisify(execFile)('mkfifo', [join(home, '.config/skillful/settings.json')]);
      const { code, stdout } = await skillful('list', '--root', 'skills', '--json');
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        skills: [{ name: 'pdf', enabled: false }],
        diagnostics: [{ code: 'settings-invalid' }],
      });
    },
  );

  it('reports a shadowed skill by its own path', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'one/pdf/SKILL.md': skillText('pdf', 'First.'), 'two/pdf/SKILL.md': skillText('pdf') });
    const { code, stdout } = await skillful('list', '--root', 'one', '--root', 'two', '--json');
    const { skills, diagnostics } = JSON.parse(stdout);
    expect({ code, descriptions: skills.map(({ description }: { description: string }) => description) }).toEqual({
      code: 0,
      descriptions: ['First.'],
    });
    expect(diagnostics).toEqual([
      {
        code: 'skill-shadowed',
        severity: 'warning',
        message: `\`pdf\` is shadowed by the skill of the same name at \`${join(work, 'one/pdf/SKILL.md')}\`.`,
        hint: 'Rename or remove one of the two.',
        source: join(work, 'two'),
        location: join(work, 'two/pdf/SKILL.md'),
      },
    ]);
  });

  it('lists a directory once if two roots reach it, without shadowing', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'one/pdf/SKILL.md': skillText('pdf'), two: { link: 'one' } });
    const { stdout } = await skillful('list', '--root', 'one', '--root', 'two', '--json');
    expect([namesIn(stdout), JSON.parse(stdout).diagnostics]).toEqual([['pdf'], []]);
  });

  it('finds skills right below a root with --depth 1, and never a skill inside a skill', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      'skills/pdf/SKILL.md': skillText('pdf'),
      'skills/pdf/inner/SKILL.md': skillText('inner'),
      'skills/group/deep/SKILL.md': skillText('deep'),
    });
    const shallow = await skillful('list', '--root', 'skills', '--depth', '1', '--json');
    const deep = await skillful('list', '--root', 'skills', '--json');
    expect([namesIn(shallow.stdout), namesIn(deep.stdout)]).toEqual([['pdf'], ['deep', 'pdf']]);
  });

  it('resolves roots against --cwd and the home', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, { 'project/skills/pdf/SKILL.md': skillText('pdf') });
    await writeTree(home, { 'mine/deploy/SKILL.md': skillText('deploy') });
    const { stdout } = await skillful('list', '--cwd', 'project', '--root', 'skills', '--root', '~/mine', '--json');
    expect(namesIn(stdout)).toEqual(['deploy', 'pdf']);
  });
});

describe('list without --root', () => {
  it('withholds everything of an untrusted project, whose skills shadow nothing', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, {
      '.agents/skills/pdf/SKILL.md': skillText('pdf', 'Hostile words.'),
      '.agents/skills/other/SKILL.md': skillText('other', 'Hostile words.'),
    });
    await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf', 'Mine.') });
    const json = await skillful('list', '--json');
    const text = await skillful('list');
    const { skills, diagnostics } = JSON.parse(json.stdout);
    expect(skills.map(({ id, description }: Record<string, string>) => [id, description])).toEqual([
      ['user:pdf', 'Mine.'],
    ]);
    expect(diagnostics).toEqual([
      {
        code: 'source-untrusted',
        severity: 'info',
        message: 'Everything in `project:.agents/skills` was skipped because it is not trusted.',
        hint: 'Trust the project to use it: `trusted` in code, `skillful trust` on the command line.',
        source: 'project:.agents/skills',
        location: 'project:.agents/skills',
      },
    ]);
    expect(text).toEqual({
      code: 0,
      stdout: 'NAME  SCOPE  DESCRIPTION\npdf   user   Mine.\n',
      stderr:
        'project:.agents/skills info: Everything in `project:.agents/skills` was skipped because it is not trusted. (source-untrusted)\n' +
        '  hint: Run `skillful trust` to use this project from now on, or add `--trust` to use it once.\n',
    });
  });

  it('does not say that there are no skills if it skipped some', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { '.agents/skills/pdf/SKILL.md': skillText('pdf') });
    const { stdout, stderr } = await skillful('list');
    expect([stdout, stderr.split('\n', 1)]).toEqual([
      '',
      [expect.stringMatching(/^project:\.agents\/skills info: Everything in .* was skipped /u)],
    ]);
  });

  it('uses the project with --trust, before the user’s skills', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, { '.skillful/skills/pdf/SKILL.md': skillText('pdf', 'Ours.') });
    await writeTree(home, { '.config/skillful/skills/pdf/SKILL.md': skillText('pdf', 'Mine.') });
    const { stdout } = await skillful('list', '--trust', '--json');
    const { skills, diagnostics } = JSON.parse(stdout);
    expect(skills.map(({ id, description }: Record<string, string>) => [id, description])).toEqual([
      ['project:pdf', 'Ours.'],
    ]);
    expect(diagnostics.map(({ code, location }: Record<string, string>) => [code, location])).toEqual([
      ['skill-shadowed', join(home, '.config/skillful/skills/pdf/SKILL.md')],
    ]);
  });

  it('follows HOME, XDG_CONFIG_HOME and --client', async () => {
    const { home, skillful, skillfulWith } = await makePlace();
    await writeTree(home, {
      'xdg/skillful/skills/moved/SKILL.md': skillText('moved'),
      'other/.claude/skills/theirs/SKILL.md': skillText('theirs'),
      '.claude/skills/claudes/SKILL.md': skillText('claudes'),
      '.agents/skills/agents/SKILL.md': skillText('agents'),
    });
    const moved = await skillfulWith({ XDG_CONFIG_HOME: join(home, 'xdg') }, 'list', '--json');
    const theirs = await skillfulWith({ HOME: join(home, 'other') }, 'list', '--json');
    const claude = await skillful('list', '--client', 'claude', '--json');
    expect([moved, theirs, claude].map(({ stdout }) => namesIn(stdout))).toEqual([
      ['agents', 'claudes', 'moved'],
      ['theirs'],
      ['claudes'],
    ]);
  });
});

describe('list for people', () => {
  it('aligns name, scope and description, even with wide characters', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/pdf/SKILL.md': skillText('pdf', '"Reads\\n  PDFs."'),
      's/長さ/SKILL.md': skillText('長さ', 'Measures.'),
    });
    const { stdout } = await skillful('list', '--root', 's');
    expect(stdout).toBe(
      ['NAME  SCOPE    DESCRIPTION', 'pdf   project  Reads PDFs.', '長さ  project  Measures.', ''].join('\n'),
    );
  });

  it('says that there are no skills, what to do, and where it looked', async () => {
    const { home, skillful } = await makePlace();
    expect(await skillful('list')).toEqual({
      code: 0,
      stdout: '',
      stderr: `No skills found. Looked in:
  .skillful/skills
  .agents/skills
  .claude/skills
  .opencode/skills
  ${home}/.config/skillful/skills
  ${home}/.agents/skills
  ${home}/.claude/skills
  ${home}/.config/opencode/skills
  ${home}/.claude/plugins/cache
Create one with \`skillful new NAME\`, or pass a directory of skills with \`--root\`.
`,
    });
  });

  it('names the places where it looked in the order of their precedence, those that exist among the others', async () => {
    const { home, work, skillful } = await makePlace();
    const looked = async () => (await skillful('list', '--trust')).stderr;
    const before = await looked();
    await mkdir(join(work, '.claude/skills'), { recursive: true });
    await mkdir(join(home, '.agents/skills'), { recursive: true });
    expect(await looked()).toBe(before);
  });

  it('counts the warnings about loaded skills, and names the command that shows them', async () => {
    const { home, work, skillful } = await makePlace();
    const misnamed = { 'a/SKILL.md': skillText('b'), 'c/SKILL.md': skillText('d') };
    await writeTree(join(work, 'my skills'), misnamed);
    await writeTree(join(work, 'one'), { 'a/SKILL.md': skillText('b') });
    await writeTree(join(home, '.agents/skills'), misnamed);
    const told = async (...args: readonly string[]) => (await skillful('list', ...args)).stderr;
    expect(await told('--root', 'one')).toBe('1 warning in loaded skills. Run `skillful validate one` for details.\n');
    expect(await told('--root', 'my skills')).toBe(
      "2 warnings in loaded skills. Run `skillful validate 'my skills'` for details.\n",
    );
    expect(await told()).toBe('2 warnings in loaded skills. Run `skillful doctor` for details.\n');
  });

  it('says why a folder is not a skill, and lists the others', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': skillText('pdf'), 's/bad/SKILL.md': 'No frontmatter.\n' });
    const { code, stdout, stderr } = await skillful('list', '--root', 's');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'NAME  SCOPE    DESCRIPTION\npdf   project  About pdf.\n',
    });
    expect(stderr).toMatch(/^s\/bad\/SKILL\.md:1:1 error: .* \(frontmatter-missing\)\n {2}hint: .*\n$/u);
  });

  it('escapes control characters in descriptions and paths', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/red/SKILL.md': skillText('red', '"a \\e[31m \\x9b31m \\u202e b"'),
      's/\u001b[2Jx\n/SKILL.md': 'No frontmatter.\n',
    });
    const text = await skillful('list', '--root', 's');
    const json = await skillful('list', '--root', 's', '--json');
    expect(text.stdout).toContain('red   project  a \\u{1b}[31m \\u{9b}31m \\u{202e} b\n');
    expect(text.stderr).toContain('s/\\u{1b}[2Jx\\u{a}/SKILL.md:1:1 error: ');
    for (const output of [text.stdout, text.stderr, json.stdout, json.stderr]) {
      expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/u);
    }
    expect(JSON.parse(json.stdout).skills[0].description).toBe('a \u001b[31m \u009b31m \u202e b');
  });
});
