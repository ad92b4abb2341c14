// `skillful validate`: a result for every folder, and line and column for every problem.

import { chmod, link, lstat, open, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkSkills } from '../../src/checking/check.ts';
import type { CheckedSkill } from '../../src/checking/check-file.ts';
import { fixSkillFile } from '../../src/checking/fix.ts';
import { makePlace, skillText, writeTree } from '../command.ts';

interface Report {
  readonly ok: boolean;
  readonly profile: string;
  readonly skills: readonly {
    readonly location: string;
    readonly name: string;
    readonly ok: boolean;
    readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
  }[];
}

const brief = ({ skills }: Report) =>
  skills.map(({ name, ok, diagnostics }) => [name, ok, diagnostics.map(({ code }) => code)]);

describe('validate --json', () => {
  it('A14: reports files with several hard links under profiles that do not read them, even below a root that others can write to', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      'store.md': skillText('linked'),
      'store.yaml': 'interface: {}\n',
      'skills/linked/note.md': '',
      'skills/plain/SKILL.md': skillText('plain'),
      'skills/plain/skill.md': skillText('plain'),
      'skills/side/SKILL.md': skillText('side'),
      'skills/side/agents/other.yaml': '',
    });
    await link(join(work, 'store.md'), join(work, 'skills/linked/SKILL.md'));
    await link(join(work, 'store.yaml'), join(work, 'skills/side/agents/openai.yaml'));
    await chmod(join(work, 'skills'), 0o777);
    const check = async (profile: string) => {
      const { code, stdout } = await skillful('validate', 'skills', '--json', '--profile', profile);
      return [code, ...brief(JSON.parse(stdout) as Report)];
    };
    const unsafe = process.platform === 'win32' ? [] : [['skills', true, ['root-unsafe']]];
    const twin = ['plain', true, ['skill-file-twin']];
    const strict = [
      1,
      ...unsafe,
      ['linked', false, ['skill-file-linked']],
      twin,
      ['side', false, ['skill-file-linked']],
    ];
    expect([await check('strict'), await check('portable')]).toEqual([strict, strict]);
    expect(await check('lenient')).toEqual([0, ...unsafe, ['linked', true, []], twin, ['side', true, []]]);
  });

  it('prints one result per skill of a tree at any depth, with line and column', async () => {
    const { work, skillful } = await makePlace();
    const levels = 'd/'.repeat(300);
    await writeTree(work, {
      'a tree/pdf/SKILL.md': skillText('pdf'),
      [`a tree/${levels}deep/SKILL.md`]: '---\nname: Deep\ndescription: Far down.\n---\nGo.\n',
    });
    const { code, stdout, stderr } = await skillful('validate', 'a tree', '--json');
    const deep = join(work, `a tree/${levels}deep/SKILL.md`);
    const report = JSON.parse(stdout) as Report;
    expect({ code, stderr, report: { ...report, skills: report.skills.length } }).toEqual({
      code: 1,
      stderr: '',
      report: { ok: false, profile: 'strict', skills: 2 },
    });
    expect(report.skills[1]).toEqual({
      location: join(work, 'a tree/pdf/SKILL.md'),
      name: 'pdf',
      ok: true,
      diagnostics: [],
    });
    expect(report.skills[0]).toMatchObject({ location: deep, name: 'Deep', ok: false });
    expect(report.skills[0]?.diagnostics[0]).toEqual({
      code: 'name-uppercase',
      severity: 'error',
      message: expect.stringContaining('`Deep`'),
      hint: 'Write `name: deep`.',
      source: 'a tree',
      location: deep,
      line: 2,
      column: 7,
    });
  });

  it('finds the skills of a repository in hidden directories, and none in .git and node_modules', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      '.claude/skills/pdf/SKILL.md': skillText('pdf'),
      'packages/a/.agents/skills/audit/SKILL.md': skillText('audit'),
      '.git/pack/SKILL.md': skillText('pack'),
      'node_modules/b/skills/c/SKILL.md': skillText('c'),
    });
    const { code, stdout } = await skillful('validate', '.', '--json');
    expect({ code, found: brief(JSON.parse(stdout) as Report) }).toEqual({
      code: 0,
      found: [
        ['pdf', true, []],
        ['audit', true, []],
      ],
    });
  });

  it('follows a link to a skill, but none to a directory of skills, which may be a whole disk', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(home, { 'one/SKILL.md': skillText('one'), 'more/two/SKILL.md': skillText('two') });
    await writeTree(work, { 's/one': { link: join(home, 'one') }, 's/more': { link: join(home, 'more') } });
    const names = async (...paths: string[]) => {
      const { skills } = JSON.parse((await skillful('validate', ...paths, '--json')).stdout);
      return skills.map(({ name }: { name: string }) => name);
    };
    expect([await names('s'), await names('s', 's/more')]).toEqual([['one'], ['two', 'one']]);
  });

  it('treats a skill folder and its SKILL.md as the same skill', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'pdf/SKILL.md': skillText('pdf') });
    const expected = {
      ok: true,
      profile: 'strict',
      skills: [{ location: join(work, 'pdf/SKILL.md'), name: 'pdf', ok: true, diagnostics: [] }],
    };
    for (const paths of [['pdf'], ['pdf/SKILL.md'], ['.'], ['pdf', join(work, 'pdf/SKILL.md'), '.']]) {
      const { code, stdout } = await skillful('validate', ...paths, '--json');
      expect({ paths, code, report: JSON.parse(stdout) }).toEqual({ paths, code: 0, report: expected });
    }
  });

  it('reports an error for a folder without a readable skill', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      'empty/notes.md': 'Nothing here.\n',
      'case/skill.md': skillText('case'),
      'directory/SKILL.md/file': '',
      'outside/SKILL.md': { link: '../empty/notes.md' },
      'huge/SKILL.md': skillText('huge', 'Long.', 'x'.repeat(600_000)),
      'utf16/SKILL.md': Buffer.from(`\ufeff${skillText('utf16')}`, 'utf16le'),
      'zero/SKILL.md': '',
      'broken/SKILL.md': { link: 'nowhere.md' },
      'tree/broken/SKILL.md': { link: 'nowhere.md' },
    });
    const reports = await Promise.all(
      ['empty', 'case', 'directory', 'outside', 'huge', 'utf16', 'zero', 'broken', 'tree'].map(async (path) => {
        const { code, stdout } = await skillful('validate', path, '--json');
        return [code, ...brief(JSON.parse(stdout) as Report)];
      }),
    );
    expect(reports).toEqual([
      [1, ['empty', false, ['skill-file-missing']]],
      [1, ['case', false, ['skill-file-missing', 'skill-file-case']]],
      [1, ['directory', false, ['skill-file-special']]],
      [1, ['outside', false, ['skill-outside-root']]],
      [1, ['huge', false, ['skill-too-large']]],
      [1, ['utf16', false, ['encoding-unsupported']]],
      [1, ['zero', false, ['frontmatter-missing']]],
      [1, ['broken', false, ['skill-file-missing', 'skill-broken-link']]],
      [1, ['broken', false, ['skill-file-missing', 'skill-broken-link']]],
    ]);
  });

  it('applies the given profile', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'other/SKILL.md': skillText('pdf') });
    const outcomes = await Promise.all(
      ['strict', 'lenient', 'portable'].map(async (profile) => {
        const { code, stdout } = await skillful('validate', 'other', '--profile', profile, '--format', 'json');
        const report = JSON.parse(stdout) as Report;
        return [code, report.profile, report.ok, report.skills[0]?.diagnostics.map(({ severity }) => severity)];
      }),
    );
    expect(outcomes).toEqual([
      [1, 'strict', false, ['error']],
      [0, 'lenient', true, ['warning']],
      [1, 'portable', false, ['error']],
    ]);
  });
});

describe('validate for people', () => {
  it('shows the line, the column, the hint and a summary', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': skillText('pdf'), 's/other/SKILL.md': skillText('Other') });
    const { code, stdout, stderr } = await skillful('validate', 's');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'invalid s/other/SKILL.md',
        expect.stringMatching(/^s\/other\/SKILL\.md:2:7 error: .*`Other`.* \(name-uppercase\)$/u),
        '> 2 | name: Other',
        '    |       ^',
        '2 skills checked with the strict profile: 1 ok, 1 invalid.',
      ]),
    );
    expect(stdout).not.toContain('s/pdf/SKILL.md');
    expect((await skillful('validate', 's/pdf', 's/pdf/SKILL.md')).stdout.split('\n')[0]).toBe(
      'ok      s/pdf/SKILL.md',
    );
  });

  it('warns of a broken link to anything, and does not count it as a skill', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': skillText('pdf'), 's/latest': { link: 'nowhere' } });
    const { code, stdout } = await skillful('validate', 's');
    expect([code, stdout.split('\n')[0], stdout.split('\n').at(-2)]).toEqual([
      0,
      's/latest warning: A link leads nowhere. (skill-broken-link)',
      '1 skill checked with the strict profile: 1 ok, 0 invalid.',
    ]);
  });

  it('reports links and Markdown files of a repository only where skills are', async () => {
    const { work, skillful } = await makePlace();
    const link = { link: 'nowhere' };
    await writeTree(work, {
      '.git/HEAD': '',
      'DESIGN.md': skillText('design'),
      'README.md': link,
      'fish/completions/docker.fish': link,
      '.claude/skills/commit': link,
      'tools/extra/SKILL.md': skillText('extra'),
      'tools/mail': link,
      'tools/mail.md': skillText('mail'),
      'lost/SKILL.md': link,
      'packages/x/skills/java/gone': link,
    });
    const { stdout } = await skillful('validate', '--json');
    const found = (JSON.parse(stdout) as Report).skills.map(({ location, diagnostics }) => [
      relative(work, location),
      ...diagnostics.map(({ code }) => code),
    ]);
    expect(found).toEqual([
      ['.claude/skills/commit', 'skill-broken-link'],
      ['lost/SKILL.md', 'skill-file-missing', 'skill-broken-link'],
      ['packages/x/skills/java/gone', 'skill-broken-link'],
      ['tools/extra/SKILL.md'],
      ['tools/mail', 'skill-broken-link'],
      ['tools/mail.md', 'skill-directory-missing'],
    ]);
  });

  it('checks the project if no path is given', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      '.git/HEAD': '',
      '.claude/skills/a/SKILL.md': skillText('a'),
      'packages/x/skills/B/SKILL.md': skillText('B'),
    });
    const { code, stdout } = await skillful('validate', '--cwd', 'packages/x');
    expect([code, stdout.split('\n')[0], stdout.split('\n').at(-2)]).toEqual([
      1,
      'invalid packages/x/skills/B/SKILL.md',
      '2 skills checked with the strict profile: 1 ok, 1 invalid.',
    ]);
  });

  it('sorts findings by file and line, says a hint and shows a frame only as often as needed, and sums up', async () => {
    const { work, skillful } = await makePlace();
    const names = ['A', 'B', 'C', 'D'];
    const text = (name: string) => `---\nlicense: a: b\ndescription: Use: it.\nname: ${name}\nauthor: me\n---\nGo.\n`;
    await writeTree(work, Object.fromEntries(names.map((name) => [`s/${name}/SKILL.md`, text(name)])));
    const { stdout } = await skillful('validate', 's/D', 's');
    const lines = stdout.split('\n');
    expect(lines.filter((line) => line.startsWith('s/')).map((line) => line.replace(/ .* /u, ' '))).toEqual(
      names.flatMap((name) => [
        `s/${name}/SKILL.md:2:11 (value-unquoted)`,
        `s/${name}/SKILL.md:3:17 (value-unquoted)`,
        `s/${name}/SKILL.md:4:7 (name-uppercase)`,
        `s/${name}/SKILL.md:5:1 (field-unknown)`,
      ]),
    );
    expect([
      lines.filter((line) => line.includes('  hint: Write')).length,
      stdout.match(/Move it below/gu)?.length,
    ]).toEqual([names.length, 1]);
    expect(lines.filter((line) => /^ +\| +\^$/u.test(line)).length).toBe(9);
    expect(lines.slice(-10).map((line) => line.replace(/\d+ ms/u, 'N ms'))).toEqual([
      '12 errors, 4 warnings in 4 files.',
      '8 can be fixed with `--fix`.',
      'Most often:',
      '  value-unquoted (8)',
      '  field-unknown (4)',
      '  name-uppercase (4)',
      '`skillful explain CODE` explains a finding.',
      'Took N ms.',
      '4 skills checked with the strict profile: 0 ok, 4 invalid.',
      '',
    ]);
  });

  it('shows one frame for several findings at one place', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/a/SKILL.md': skillText('A B') });
    const { stdout } = await skillful('validate', 's');
    expect([stdout.match(/SKILL\.md:2:7 error/gu)?.length, stdout.match(/> 2 \| name: A B/gu)?.length]).toEqual([3, 1]);
  });

  it('names --fix at the hints of what it fixes', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/a/SKILL.md': '---\nname: b\ndescription: Reads: PDFs.\n---\nGo.\n' });
    expect((await skillful('validate', 's')).stdout.match(/(?<=hint: ).*/gu)).toEqual([
      'Write `name: a`, or rename the directory to `b`.',
      'Put the value in quotes, and indent its further lines. Or use `--fix`.',
    ]);
  });

  it('folds findings that repeat in one file, and counts all of them', async () => {
    const { work, skillful } = await makePlace();
    const fields = ['author', 'version', 'risk', 'tags', 'emoji'].map((key) => `${key}: x\n`).join('');
    await writeTree(work, { 's/a/SKILL.md': `---\nname: a\ndescription: Reads.\n${fields}---\nGo.\n` });
    const { stdout } = await skillful('validate', 's');
    expect([stdout.match(/^s\/.*/gmu), stdout.includes('0 errors, 5 warnings in 1 file.')]).toEqual([
      [
        's/a/SKILL.md:4:1 warning: `author` is not a field of the specification. (field-unknown)',
        's/a/SKILL.md:5:1 warning: `version` is not a field of the specification. (field-unknown)',
        's/a/SKILL.md:6:1 warning: `risk` is not a field of the specification. (field-unknown)',
        's/a/SKILL.md:7:1 warning: 2 more of these, in lines 7, 8. (field-unknown)',
      ],
      true,
    ]);
  });

  it.each([[[]], [['.']], [['--quiet']]])('says that there are no skills, given %j', async (args) => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { '.git/HEAD': '', 'README.md': 'Nothing.\n' });
    expect(await skillful('validate', ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: No skills found: there is no \`SKILL.md\` in \`${work}\` or below it. Create one with \`skillful new NAME --scope project\`, or pass another path.\n`,
    });
  });

  it('does not count a path without skills, or one that cannot be read, as a skill', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'pdf/SKILL.md': skillText('pdf'), 'empty/README.md': 'Nothing.\n' });
    const { code, stdout, stderr } = await skillful('validate', 'pdf', 'empty', 'gone');
    expect([code, stdout.split('\n').at(-2), stderr.match(/error: /gu)?.length]).toEqual([
      2,
      '1 skill checked with the strict profile: 1 ok, 0 invalid.',
      2,
    ]);
    expect(stdout).not.toMatch(/empty|gone/u);
  });

  it('prints only errors and the summary with --quiet', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/ok/SKILL.md': skillText('ok'),
      's/odd/SKILL.md': '---\nname: odd\ndescription: Odd.\nauthor: me\n---\nGo.\n',
      's/Bad/SKILL.md': '---\nname: Bad\ndescription: Bad.\nauthor: me\n---\nGo.\n',
    });
    const { code, stdout } = await skillful('validate', 's', '--quiet');
    const heads = stdout.split('\n').filter((line) => /^(?:ok|invalid|s\/|\d)/u.test(line));
    expect([code, heads]).toEqual([
      1,
      [
        'invalid s/Bad/SKILL.md',
        expect.stringContaining('s/Bad/SKILL.md:2:7 error: '),
        '1 error, 2 warnings in 2 files.',
        '3 skills checked with the strict profile: 2 ok, 1 invalid.',
      ],
    ]);
  });

  it('names the common causes of what it prints', async () => {
    const { work, skillful } = await makePlace();
    const bad = (name: string): string => `---\nname: ${name}\ndescription: Bad.\nauthor: me\n---\nGo.\n`;
    await writeTree(work, Object.fromEntries(['a', 'b', 'c'].map((name) => [`s/${name}/SKILL.md`, bad(`${name}-2`)])));
    const causes = async (...args: readonly string[]) =>
      (await skillful('validate', 's', ...args)).stdout.match(/(?<=^ {2})[a-z-]+ \(\d+\)$/gmu);
    expect(await causes()).toEqual(['field-unknown (3)', 'name-directory-mismatch (3)']);
    expect(await causes('--quiet')).toEqual(['name-directory-mismatch (3)']);
  });

  it('reports a path that cannot be read beside the others: exit code 2', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'pdf/SKILL.md': skillText('pdf') });
    const { code, stdout, stderr } = await skillful('validate', 'nowhere', 'pdf', '--json');
    const report = JSON.parse(stdout) as Report;
    expect({ code, stderr, ok: report.ok, brief: brief(report) }).toEqual({
      code: 2,
      stderr: 'error: `nowhere` does not exist. Pass a skill folder, a SKILL.md file, or a folder of skills.\n',
      ok: false,
      brief: [
        ['nowhere', false, ['root-unreadable']],
        ['pdf', true, []],
      ],
    });
  });

  it('refuses a file that is not a SKILL.md: exit code 2', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'notes.md': '' });
    expect(await skillful('validate', 'notes.md')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: `notes.md` is neither a folder nor a SKILL.md file. Pass a skill folder, a SKILL.md file, or a folder of skills.\n',
    });
  });

  it('answers for the folders that were given besides such a file', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'notes.md': '', 's/a/SKILL.md': skillText('a') });
    const { code, stdout } = await skillful('validate', 'notes.md', 's', '--json');
    const { ok, skills } = JSON.parse(stdout);
    expect([code, ok, skills]).toMatchObject([
      2,
      false,
      [
        { name: 'notes.md', ok: false, diagnostics: [{ code: 'root-unreadable', severity: 'error' }] },
        { name: 'a', ok: true, diagnostics: [] },
      ],
    ]);
  });
});

describe('validate --fix', () => {
  const broken = '---\r\n# mine\r\nname: pdf\r\ndescription: Reads: PDFs.\r\nallowedTools: Read\r\n---\r\nGo.\r\n';
  const fixed = '---\r\n# mine\r\nname: pdf\r\ndescription: "Reads: PDFs."\r\nallowed-tools: Read\r\n---\r\nGo.\r\n';

  it('changes only what a diagnostic names, keeps the permissions, and says what it did', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': broken, 's/ok/SKILL.md': skillText('ok') });
    const path = join(work, 's/pdf/SKILL.md');
    await chmod(path, 0o640);
    const before = await stat(join(work, 's/ok/SKILL.md'));
    const { code, stdout, stderr } = await skillful('validate', 's', '--fix', '--json');
    const after = await stat(join(work, 's/ok/SKILL.md'));
    expect({ code, ok: JSON.parse(stdout).ok, text: await readFile(path, 'utf8') }).toEqual({
      code: 0,
      ok: true,
      text: fixed,
    });
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(stderr).toBe('Fixed s/pdf/SKILL.md: value-unquoted, allowed-tools-spelling\n');
    expect(await readdir(join(work, 's/pdf'))).toEqual(['SKILL.md']);
  });

  it('reports the same as a check afterwards, also what is not in the fixed text', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/pdf/SKILL.md': skillText('PDF'),
      's/pdf/skill.md': '',
      's/pdf/agents/openai.yaml': '[',
    });
    const { stdout } = await skillful('validate', 's', '--fix', '--json');
    expect(stdout).toBe((await skillful('validate', 's', '--json')).stdout);
    const [{ name, diagnostics }] = JSON.parse(stdout).skills;
    const codes = diagnostics.map(({ code }: { readonly code: string }) => code);
    expect([name, codes]).toEqual(['pdf', ['skill-file-twin', 'sidecar-invalid']]);
  });

  it('sums up what it did in several files', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': broken, 's/doc/SKILL.md': skillText('Doc') });
    const { stderr } = await skillful('validate', 's', '--fix');
    expect(stderr.split('\n').at(-2)).toBe('Fixed 3 findings in 2 files.');
  });

  it('prints a diff and writes nothing with --dry-run', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': broken, 's/ok/SKILL.md': skillText('ok') });
    const path = join(work, 's/pdf/SKILL.md');
    const { code, stdout, stderr } = await skillful('validate', 's', '--fix', '--dry-run');
    expect({ code, stderr, text: await readFile(path, 'utf8') }).toEqual({
      ...{ code: 1, stderr: 'Would fix 2 findings in 1 file.\n', text: broken },
    });
    expect(stdout).toBe(
      [
        '--- a/s/pdf/SKILL.md\n+++ b/s/pdf/SKILL.md\n@@ -1,7 +1,7 @@\n ---\r\n # mine\r\n name: pdf\r\n',
        '-description: Reads: PDFs.\r\n-allowedTools: Read\r\n+description: "Reads: PDFs."\r\n+allowed-tools: Read\r\n',
        ' ---\r\n Go.\r\n',
      ].join(''),
    );
    expect(await skillful('validate', 's/ok', '--fix', '--dry-run')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('says that --dry-run found problems, but none that it could fix', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': skillText('other') });
    expect(await skillful('validate', 's', '--fix', '--dry-run')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Nothing can be fixed automatically. To see the problems, leave out `--fix --dry-run`.\n',
    });
  });

  it.each([['--dry-run'], ['--fix', '--dry-run', '--json'], ['--fix', '--dry-run', '--format', 'sarif']])(
    'takes no %s %s %s',
    async (...args) => {
      const { skillful } = await makePlace();
      expect((await skillful('validate', '.', ...args)).code).toBe(2);
    },
  );

  it('writes a new file and renames it, so that a reader never sees a part', async () => {
    const { work, skillful } = await makePlace();
    const path = join(work, 's/pdf/SKILL.md');
    await writeTree(work, { 's/pdf/SKILL.md': broken });
    await link(path, join(work, 'elsewhere.md'));
    const reader = await open(path);
    onTestFinished(() => reader.close());
    await skillful('validate', 's', '--fix', '--profile', 'lenient');
    const texts = [await readFile(path, 'utf8'), await readFile(join(work, 'elsewhere.md'), 'utf8')];
    expect([...texts, await reader.readFile('utf8')]).toEqual([fixed, broken, broken]);
  });

  it('keeps permissions that the umask would not give to a new file', async () => {
    const { work, skillful } = await makePlace();
    const path = join(work, 's/pdf/SKILL.md');
    await writeTree(work, { 's/pdf/SKILL.md': broken });
    await chmod(path, 0o666);
    await skillful('validate', 's', '--fix');
    expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual([fixed, 0o666]);
  });

  it('skips a file whose bytes it could not keep', async () => {
    const { work, skillful } = await makePlace();
    const latin = Buffer.from(broken.split('PDFs').join('Gr\u00fc\u00dfe'), 'latin1');
    await writeTree(work, { 's/pdf/SKILL.md': latin });
    const { code } = await skillful('validate', 's', '--fix');
    expect({ code, bytes: await readFile(join(work, 's/pdf/SKILL.md')) }).toEqual({ code: 1, bytes: latin });
  });

  it('fixes the file behind a link, and keeps the link', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/real.md': broken, 's/pdf/SKILL.md': { link: 'real.md' } });
    await skillful('validate', 's', '--fix');
    expect([
      await readFile(join(work, 's/pdf/real.md'), 'utf8'),
      (await lstat(join(work, 's/pdf/SKILL.md'))).isSymbolicLink(),
    ]).toEqual([fixed, true]);
  });
});

describe('validate --fix and links', () => {
  const broken = '---\nname: pdf\ndescription: Reads: PDFs.\n---\nGo.\n';

  it('fixes nothing outside the given tree, says why, and fixes the rest', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(home, { 'store/pdf/SKILL.md': broken });
    await writeTree(work, {
      's/own/SKILL.md': broken.replace('name: pdf', 'name: own'),
      's/pdf': { link: join(home, 'store/pdf') },
      's/store': { link: join(home, 'store') },
    });
    const { code, stderr } = await skillful('validate', 's', '--fix');
    expect(code).toBe(1);
    expect(stderr.split('\n')).toEqual([
      'Fixed s/own/SKILL.md: value-unquoted',
      expect.stringMatching(/^error: `.*store\/pdf` leads out of `.*\/s` through a link, so nothing was written\. /u),
      '',
    ]);
    expect(await readFile(join(home, 'store/pdf/SKILL.md'), 'utf8')).toBe(broken);
    const linked = await skillful('validate', 's/pdf', '--fix');
    expect([linked.code, await readFile(join(home, 'store/pdf/SKILL.md'), 'utf8')]).toEqual([
      0,
      broken.replace('Reads: PDFs.', '"Reads: PDFs."'),
    ]);
  });

  it('fixes a file once that is reached by several paths, by its own path', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      'real/pdf/SKILL.md': broken,
      links: { link: 'real' },
      'more/pdf': { link: '../real/pdf' },
    });
    const paths = ['links', 'more', 'real'];
    const { stdout } = await skillful('validate', ...paths, '--fix', '--dry-run');
    expect(stdout.match(/^--- .*/gmu)).toEqual(['--- a/real/pdf/SKILL.md']);
    const { code, stderr } = await skillful('validate', ...paths, '--fix');
    expect([code, stderr]).toEqual([0, 'Fixed real/pdf/SKILL.md: value-unquoted\n']);
  });

  it('does not follow a link that took the place of a file since it was checked, nor undo a change', async () => {
    const { home, work } = await makePlace();
    await writeTree(home, { profile: broken });
    await writeTree(work, { 's/pdf/SKILL.md': broken });
    const location = join(work, 's/pdf/SKILL.md');
    const [checked] = await checkSkills(join(work, 's'), 's', 'strict');
    await rm(location);
    await writeTree(work, { 's/pdf/SKILL.md': { link: join(home, 'profile') } });
    const outside = await fixSkillFile(checked as CheckedSkill, 'strict');
    await rm(location);
    await writeTree(work, { 's/pdf/SKILL.md': `${broken}Edited.\n` });
    const edited = await fixSkillFile(checked as CheckedSkill, 'strict');
    expect([outside.refusal, edited.refusal]).toEqual([
      expect.stringContaining('through a link, so nothing was written'),
      `\`${location}\` was changed or replaced meanwhile, so nothing was written. Try again.`,
    ]);
    expect([await readFile(join(home, 'profile'), 'utf8'), await readFile(location, 'utf8')]).toEqual([
      broken,
      `${broken}Edited.\n`,
    ]);
  });
});

describe('validate --format github', () => {
  it('prints a command for each finding, with everything in it escaped, and the summary', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/a,b: c%/SKILL.md': '---\nname: Other\ndescription: x\nauthor: me\n---\nGo.\n' });
    const { code, stdout } = await skillful('validate', 's', '--format', 'github');
    const place = 'file=s/a%2Cb%3A c%25/SKILL.md';
    expect([code, stdout.split('\n')]).toEqual([
      1,
      [
        `::error ${place},line=2,col=7,title=name-uppercase::s/a,b: c%25/SKILL.md:2:7: The name \`Other\` has uppercase letters, expected lowercase. Write \`name: other\`, and rename the directory to it.`,
        expect.stringMatching(/^::error .*,line=2,col=7,title=name-directory-mismatch::/u),
        expect.stringMatching(/^::warning .*,line=4,col=1,title=field-unknown::/u),
        '2 errors, 1 warning in 1 file.',
        '1 can be fixed with `--fix`.',
        '`skillful explain CODE` explains a finding.',
        expect.stringMatching(/^Took \d+ ms\.$/u),
        '1 skill checked with the strict profile: 0 ok, 1 invalid.',
        '',
      ],
    ]);
  });
});

describe.each(['json', 'sarif'])('validate --format %s --quiet', (format) => {
  it('contains only errors', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': '---\nname: PDF\ndescription: Reads.\nauthor: me\n---\nGo.\n' });
    const { code, stdout } = await skillful('validate', 's/pdf', '--format', format, '--quiet');
    const { skills, runs } = JSON.parse(stdout);
    const found: readonly object[] = runs?.[0].results ?? skills[0].diagnostics;
    expect({
      code,
      codes: found.map((each) => ('ruleId' in each ? each.ruleId : 'code' in each && each.code)),
    }).toEqual({
      code: 1,
      codes: ['name-uppercase', 'name-directory-mismatch'],
    });
  });
});

describe('validate --format github --quiet', () => {
  it('annotates only errors', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': '---\nname: PDF\ndescription: Reads.\nauthor: me\n---\nGo.\n' });
    const { stdout } = await skillful('validate', 's/pdf', '--format', 'github', '--quiet', '--profile', 'lenient');
    expect(stdout.split('\n')[0]).toBe('0 errors, 2 warnings in 1 file.');
    const { stdout: strict } = await skillful('validate', 's/pdf', '--format', 'github', '--quiet');
    expect(strict.match(/^::\w+ /gmu)).toEqual(['::error ', '::error ']);
  });
});

describe('in the log of a workflow', () => {
  /** The lines that GitHub runs, by the rules of its runner. */
  const commandsIn = (log: string): readonly string[] =>
    log.split(/\r?\n/u).filter((line) => /^\s*::[\w-]+( .*)?::/u.test(line) || /##\[[\w-]+( .*)?\]/u.test(line));

  it.each([
    ['validate', 's'],
    ['validate', 's', '--json'],
    ['validate', 's', '--format', 'sarif'],
    ['list', '--root', 's'],
    ['list', '--root', 's', '--json'],
    ['doctor', '--root', 's'],
    ['search', '--root', 's', 'Reads'],
    ['show', '##[debug]x', '--root', 's'],
    ['\n::debug::x'],
  ])('no text of a skill or of a caller is a command: %j', async (...args) => {
    const { work, skillfulWith } = await makePlace();
    const text = (name: string): string =>
      `---\nname: '${name}'\ndescription: 'Reads. ##[add-mask]e'\n##[debug]: 1\n---\n`;
    await writeTree(work, {
      's/::debug::x/SKILL.md': text('::debug::x'),
      's/##[debug]y/SKILL.md': text('##[debug]y'),
    });
    const { stdout, stderr } = await skillfulWith({ GITHUB_ACTIONS: 'true' }, ...args);
    const outside = await skillfulWith({}, ...args);
    expect(commandsIn(stdout + stderr)).toEqual([]);
    const shown = (stdout + stderr).replaceAll('\\u{3a}', ':').replaceAll('\\u{5b}', '[');
    const timeless = (log: string): string => log.replace(/Took \d+ ms/u, 'Took some ms');
    expect(timeless(shown)).toBe(timeless(outside.stdout + outside.stderr));
  });

  it('only the annotations are commands', async () => {
    const { work, skillfulWith } = await makePlace();
    await writeTree(work, { 's/::debug::x/SKILL.md': '---\nname: x\ndescription: ##[debug]x\n---\nGo.\n' });
    const { stdout } = await skillfulWith({ GITHUB_ACTIONS: 'true' }, 'validate', 's', '--format', 'github');
    expect(commandsIn(stdout).map((line) => line.slice(0, 40))).toEqual([
      '::error file=s/%3A%3Adebug%3A%3Ax/SKILL.',
      '::error file=s/%3A%3Adebug%3A%3Ax/SKILL.',
    ]);
  });
});

describe('validate --format sarif', () => {
  it('prints a log with paths relative to the working directory', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'a b/other/SKILL.md': skillText('pdf') });
    const { code, stdout } = await skillful('validate', 'a b', '--format', 'sarif');
    const { version, runs } = JSON.parse(stdout);
    expect({ code, version, results: runs[0].results }).toMatchObject({
      code: 1,
      version: '2.1.0',
      results: [
        {
          ruleId: 'name-directory-mismatch',
          level: 'error',
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'a%20b/other/SKILL.md' },
                region: { startLine: 2, startColumn: 7 },
              },
            },
          ],
        },
      ],
    });
  });
});

describe('in a directory of a repository', () => {
  it.each(['sarif', 'github'])('validate --format %s prints paths from the root of the repository', async (format) => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { '.git/HEAD': 'ref: refs/heads/main\n', 'apps/a/skills/other/SKILL.md': skillText('pdf') });
    await symlink('apps', join(work, 'link'));
    await writeTree(work, { '../beside/.git': '', '../none/note': '' });
    const found = async (...args: readonly string[]) => {
      const { stdout } = await skillful('validate', ...args, '--format', format);
      return [...new Set(stdout.match(/[^"=:]*SKILL\.md/gu))];
    };
    const skills = join(work, 'apps/a/skills');
    for (const args of [
      ['skills', '--cwd', 'apps/a'],
      ['skills', '--cwd', 'link/a'],
      [skills, '--cwd', '../beside'],
      [skills, '--cwd', '../none'],
      [skills, '--cwd', '/'],
    ])
      expect(await found(...args)).toEqual(['apps/a/skills/other/SKILL.md']);
    // A submodule is part of the repository around it.
    await writeTree(work, { 'apps/a/.git': 'gitdir: ../../.git/modules/a\n' });
    expect(await found('apps')).toEqual(['apps/a/skills/other/SKILL.md']);
  });
});
