// `skillful validate --changed`: only skills with a change count, in a real repository.

import { execFileSync } from 'node:child_process';
import { chmod, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { binary, makePlace, type Place, runProcess, skillText, writeTree } from '../command.ts';

/** The name that git gives to the content of an empty file. */
const emptyFile = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

const inCi = '; in CI, with the whole history (`fetch-depth: 0`)';

/** Creates a repository with three skills, and runs git in it. */
async function makeRepository(): Promise<Place & { git: (...args: readonly string[]) => void }> {
  const place = await makePlace();
  const { home, work } = place;
  const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a' };
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1', ...identity };
  const git = (...args: readonly string[]) => void execFileSync('git', args, { cwd: work, env, stdio: 'pipe' });
  await writeTree(work, {
    's/a/SKILL.md': skillText('a'),
    's/b/SKILL.md': skillText('b'),
    's/b/references/guide.md': 'Guide.\n',
    's/c/SKILL.md': skillText('c'),
    '.gitignore': 'local\n',
  });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  return { ...place, git };
}

const checked = async ({ skillful }: Place, ...args: readonly string[]) => {
  const { code, stdout } = await skillful('validate', '--json', ...args);
  return [code, ...(JSON.parse(stdout) as { skills: { name: string }[] }).skills.map(({ name }) => name)];
};

describe('validate --changed', () => {
  it('checks skills with a changed, new or removed file, in the working directory', async () => {
    const place = await makeRepository();
    const { work, skillful, git } = place;
    expect(await skillful('validate', 's', '--changed')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No skill has changed since `HEAD`.\n',
    });
    await writeTree(work, { 's/a/SKILL.md': skillText('a', 'Changed.'), 's/c/local': 'ignored', 'other.md': '' });
    await rm(join(work, 's/b/references'), { recursive: true });
    await writeTree(work, { 's/new one/SKILL.md': skillText('new-one') });
    expect(await checked(place, 's', '--changed')).toEqual([1, 'a', 'b', 'new-one']);
    // A file that was moved is missing where it was.
    git('checkout', '-q', '.');
    git('mv', 's/b/references/guide.md', 's/c/guide.md');
    expect(await checked(place, 's', '--changed')).toEqual([1, 'b', 'c', 'new-one']);
    expect((await skillful('validate', 'nowhere', '--changed')).code).toBe(2);
    // The root of the project is checked if no path is given.
    expect(await checked(place, '--changed', '--cwd', 's/c')).toEqual([1, 'b', 'c', 'new-one']);
  });

  it('finds a changed skill that git spells differently than the disk', async () => {
    const place = await makeRepository();
    place.git('mv', 's/a', 's/A');
    place.git('commit', '-qm', 'rename');
    place.git('config', 'core.ignorecase', 'true');
    await rename(join(place.work, 's/A'), join(place.work, 's/a'));
    expect(await checked(place, 's', '--changed')).toEqual([0, 'a']);
  });

  it('takes all files for new before the first commit, except those that git ignores', async () => {
    const place = await makePlace();
    const { work } = place;
    execFileSync('git', ['init', '-q'], { cwd: work });
    await writeTree(work, { 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b'), 'c/SKILL.md': skillText('c') });
    await writeTree(work, { '.gitignore': 'c\n' });
    execFileSync('git', ['add', 'a'], { cwd: work });
    expect(await checked(place, '--changed')).toEqual([0, 'a', 'b']);
    expect((await place.skillful('validate', '--changed', 'main')).code).toBe(2);
  });

  it('finds nothing to check in a change that removes the last skill', async () => {
    const place = await makeRepository();
    const { work, git } = place;
    git('rm', '-qr', 's');
    git('commit', '-qm', 'remove all');
    await writeTree(work, { 's/note.md': '' });
    expect(await checked(place, 's', '--changed', 'HEAD^')).toEqual([0]);
    expect((await place.skillful('validate', 's', 'gone', '--changed')).code).toBe(2);
    await writeTree(work, { 'docs/guide.md': '' });
    git('add', '-A');
    git('commit', '-qm', 'add docs');
    expect((await place.skillful('validate', 'docs', '--changed')).code).toBe(1);
  });

  it('compares a branch with the commit at which it began', async () => {
    const place = await makeRepository();
    const { work, git } = place;
    git('checkout', '-qb', 'feature');
    await writeTree(work, { 's/a/SKILL.md': skillText('a', 'Changed.') });
    git('commit', '-qam', 'change a');
    git('checkout', '-q', 'main');
    await writeTree(work, { 's/c/SKILL.md': skillText('c', 'Changed.') });
    git('commit', '-qam', 'change c');
    git('checkout', '-q', 'feature');
    expect(await checked(place, 's', '--changed')).toEqual([0]);
    expect(await checked(place, 's', '--changed', 'main')).toEqual([0, 'a']);
  });

  it('checks a skill behind a link if either of them changed, and one outside the repository always', async () => {
    const place = await makeRepository();
    const { home, work, git } = place;
    await writeTree(work, { 'store/x/SKILL.md': skillText('x'), 'store/y/SKILL.md': skillText('y') });
    await symlink('../store/x', join(work, 's/link'));
    await writeTree(home, { 'outside/z/SKILL.md': skillText('z') });
    git('add', '-A');
    git('commit', '-qm', 'link');
    expect(await checked(place, 's', '../outside', '--changed', '--profile', 'lenient')).toEqual([0, 'z']);
    await unlink(join(work, 's/link'));
    await symlink('../store/y', join(work, 's/link'));
    expect(await checked(place, 's', '--changed', '--profile', 'lenient')).toEqual([0, 'y']);
    git('checkout', '-q', 's/link');
    await writeTree(work, { 'store/x/SKILL.md': skillText('x', 'Changed.') });
    expect(await checked(place, 's', '--changed', '--profile', 'lenient')).toEqual([0, 'x']);
  });

  it('takes a skill in a changed submodule for changed', async () => {
    const place = await makeRepository();
    const { work, git } = place;
    git('clone', '-q', '.', 'sub');
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', './sub', 'sub');
    git('commit', '-qm', 'submodule');
    expect(await checked(place, '.', '--changed')).toEqual([0]);
    await writeTree(work, { 'sub/s/d/SKILL.md': skillText('d') });
    expect(await checked(place, '.', '--changed')).toEqual([0, 'a', 'b', 'c', 'd']);
    // Whoever changes the submodule could also write this.
    git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'all');
    git('commit', '-qam', 'ignore');
    expect(await checked(place, '.', '--changed')).toEqual([0, 'a', 'b', 'c', 'd']);
  });

  it('takes a skill in a new directory with a repository of its own for changed', async () => {
    const place = await makeRepository();
    place.git('worktree', 'add', '-q', 'tree');
    place.git('init', '-q', 'skills/own');
    await writeTree(place.work, { 'skills/own/SKILL.md': skillText('own') });
    expect(await checked(place, 's', 'skills', 'tree/s/a', '--changed')).toEqual([0, 'own', 'a']);
  });

  it.each([
    [
      ['--changed', 's'],
      `\`s\` is not a commit of this repository. Commit or fetch it first${inCi}. Paths come before \`--changed\`.`,
    ],
    [
      ['--changed=--all'],
      `\`--all\` is not a commit of this repository. Commit or fetch it first${inCi}. Paths come before \`--changed\`.`,
    ],
  ])('refuses %j: exit code 2', async (args, words) => {
    const { skillful } = await makeRepository();
    expect(await skillful('validate', ...args)).toEqual({ code: 2, stdout: '', stderr: `error: ${words}\n` });
  });

  it('says what is missing without a common commit, a repository, or git', async () => {
    const { git, skillful, skillfulWith } = await makeRepository();
    git('checkout', '-q', '--orphan', 'other');
    git('commit', '-qm', 'another beginning');
    const outcomes = [
      await skillful('validate', '--changed', 'main'),
      await skillful('validate', '--changed', '--cwd', '..'),
      await skillfulWith({ PATH: '' }, 'validate', '--changed'),
    ];
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([
      [2, `error: \`main\` has no commit in common with this one. Fetch it first${inCi}.\n`],
      [2, expect.stringMatching(/^error: `--changed` needs a git repository: not a git repository/u)],
      [2, 'error: `--changed` needs a git repository: `git` is not installed\n'],
    ]);
  });

  it('runs no monitor, hook or viewer of the repository', async () => {
    const { work, git, skillful } = await makeRepository();
    git('config', 'core.fsmonitor', 'touch ran');
    git('config', 'diff.external', 'touch ran');
    await writeTree(work, { '.git/hooks/post-index-change': '#!/bin/sh\n: > ran\n' });
    await chmod(join(work, '.git/hooks/post-index-change'), 0o755);
    await writeTree(work, { 's/a/SKILL.md': skillText('a', 'Changed.') });
    // Another time of an unchanged file makes git write its index, after which it runs the hook.
    await utimes(join(work, 's/b/SKILL.md'), 1, 1);
    expect((await skillful('validate', 's', '--changed')).code).toBe(0);
    await expect(rm(join(work, 'ran'))).rejects.toThrow('ENOENT');
  });

  it('many files in very deep directories take no longer than git does', async () => {
    const { work, git, skillful } = await makeRepository();
    const deep = 'd/'.repeat(1500);
    const files = Array.from({ length: 2000 }, (_, index) => `100644 ${emptyFile}\t${deep}${index}\n`);
    execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: work, input: '' });
    execFileSync('git', ['update-index', '--index-info'], { cwd: work, input: files.join('') });
    git('commit', '-qm', 'deep');
    expect((await skillful('validate', 's', '--changed')).stderr).toBe('No skill has changed since `HEAD`.\n');
  });

  it('does not take git from the repository', async () => {
    const { home, work } = await makeRepository();
    await writeFile(join(work, 'git'), '#!/bin/sh\n: > ran\n', { mode: 0o755 });
    const args = ['--conditions=skillful-source', binary, 'validate', 's', '--changed'];
    // A process of its own, because `.` is the working directory of the process.
    const { code } = await runProcess(process.execPath, args, work, { HOME: home, PATH: `.:${process.env['PATH']}` });
    expect(code).toBe(0);
    await expect(rm(join(work, 'ran'))).rejects.toThrow('ENOENT');
  });
});
