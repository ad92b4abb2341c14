// `skillful validate`: an answer for every folder, and a place for every complaint.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace, skillText, writeTree } from './command.ts';

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
  it('prints one answer a skill of a tree at any depth, with line and column', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      'a tree/pdf/SKILL.md': skillText('pdf'),
      'a tree/1/2/3/4/5/6/deep/SKILL.md': '---\nname: Deep\ndescription: Far down.\n---\nGo.\n',
    });
    const { code, stdout, stderr } = await skillful('validate', 'a tree', '--json');
    const deep = join(work, 'a tree/1/2/3/4/5/6/deep/SKILL.md');
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
      hint: expect.stringContaining('`deep`'),
      source: 'a tree',
      location: deep,
      line: 2,
      column: 7,
    });
  });

  it('takes a skill folder, its SKILL.md or both for the same skill', async () => {
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

  it('refuses with an error what holds no skill that can be read', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      'empty/notes.md': 'Nothing here.\n',
      'case/skill.md': skillText('case'),
      'directory/SKILL.md/file': '',
      'outside/SKILL.md': { link: '../empty/notes.md' },
      'huge/SKILL.md': skillText('huge', 'Long.', 'x'.repeat(600_000)),
      'utf16/SKILL.md': Buffer.from(`\ufeff${skillText('utf16')}`, 'utf16le'),
      'zero/SKILL.md': '',
    });
    const reports = await Promise.all(
      ['empty', 'case', 'directory', 'outside', 'huge', 'utf16', 'zero'].map(async (path) => {
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
    ]);
  });

  it('weighs the same file by the profile that is asked for', async () => {
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
  it('shows the line, the column and the hint, and sums up', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': skillText('pdf'), 's/other/SKILL.md': skillText('Other') });
    const { code, stdout, stderr } = await skillful('validate', 's');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'refused s/other/SKILL.md',
        expect.stringMatching(/^s\/other\/SKILL\.md:2:7 error: .*`Other`.* \(name-uppercase\)$/u),
        '> 2 | name: Other',
        '    |       ^',
        'ok      s/pdf/SKILL.md',
        '2 skills checked with the strict profile: 1 ok, 1 refused.',
      ]),
    );
  });

  it.each([
    [
      ['nowhere'],
      'error: `nowhere` cannot be read: it does not exist. Name a skill folder, a `SKILL.md` or a folder of skills.\n',
    ],
    [
      ['notes.md'],
      'error: `notes.md` is neither a folder nor a `SKILL.md`. Name a skill folder, a `SKILL.md` or a folder of skills.\n',
    ],
  ])('cannot answer for %j: exit code 2', async (paths, stderr) => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'notes.md': '' });
    expect(await skillful('validate', ...paths)).toEqual({ code: 2, stdout: '', stderr });
  });
});
