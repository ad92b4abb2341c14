// Finds the skills that have changed in a git repository.

import { execFile } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { SkillError } from '@skillful/core';
import { folderAt, realPathOf } from '../loading/skill-file.ts';
import type { CheckedSkill } from './check-file.ts';

/** Where to look for changes. */
export interface ChangedOptions {
  /** The commit to compare with; of a branch, the commit at which it and `HEAD` parted. */
  readonly ref: string;
  /** A directory of the repository. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Keeps the skills in which a file was added, changed or removed since a commit, in the working directory or in later commits. Also
 * keeps everything outside the repository, and paths that cannot be read. Files that git ignores do not count.
 *
 * @throws {SkillError} `source-failed` if git is not installed, the directory is in no repository, or the commit is not known
 */
export async function keepChanged(
  skills: readonly CheckedSkill[],
  { ref, directory, environment }: ChangedOptions,
): Promise<readonly CheckedSkill[]> {
  const root = normalize(await runGit(['rev-parse', '--show-toplevel'], directory, environment));
  const git: Git = (...args) => runGit(args, root, environment);
  const base = await findBase(ref, git);
  const listings = await Promise.all([
    base === undefined
      ? git('ls-files', '-z')
      : // New files in a submodule count, too. Its settings, which are part of the repository, could hide them.
        git('diff', '--name-only', '--no-renames', '--ignore-submodules=none', '-z', base),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  const changed = listings.flatMap((listing) => listing.split('\0')).filter((path) => path !== '');
  // Of a new directory with a repository of its own, git lists only the directory, with a slash at its end.
  const paths = new Set(changed.map((path) => fold(join(root, path.replace(/\/$/u, '')))));
  const folders = new Set<string>();
  // Ends at the first known one, because a repository may have many files in very deep directories.
  for (const path of paths) for (let each = path; !folders.has(each); each = dirname(each)) folders.add(each);
  // Of a submodule and of another repository, git only says that something in it has changed.
  const isChanged = (folder: string) =>
    folders.has(fold(folder)) || upwards(fold(folder)).some((path) => paths.has(path));
  return skills.filter(({ location, isNothing, diagnostics }) => {
    // The last skill of a directory may have been removed.
    if (isNothing === true) return diagnostics[0]?.code === 'root-unreadable' || !isChanged(dirname(location));
    const folder = folderAt(location);
    const real = realPathOf(folder);
    // A link may have changed, or what it leads to.
    return !upwards(real).includes(root) || isChanged(folder) || isChanged(real);
  });
}

/** On disks that ignore letter case or accents, git may keep another spelling of a path than the disk. */
function fold(path: string): string {
  return path.normalize().toLowerCase();
}

type Git = (...args: readonly string[]) => Promise<string>;

const inCi = '; in CI, with the whole history (`fetch-depth: 0`)';

/** Finds the commit to compare with; `undefined` if the repository has none yet, so that every file is new. */
async function findBase(ref: string, git: Git): Promise<string | undefined> {
  const commit = await git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`).catch(none);
  if (commit === '' && ref === 'HEAD') return undefined;
  if (commit === '')
    throw failed(
      `\`${ref}\` is not a commit of this repository. Commit or fetch it first${inCi}. Paths come before \`--changed\`.`,
    );
  const base = await git('merge-base', commit, 'HEAD').catch(none);
  if (base === '') throw failed(`\`${ref}\` has no commit in common with this one. Fetch it first${inCi}.`);
  return base;
}

/** Returns a path and all directories above it. */
function upwards(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...upwards(above)];
}

const none = (): string => '';

async function runGit(
  args: readonly string[],
  directory: string,
  environment: ChangedOptions['environment'],
): Promise<string> {
  // Without a monitor and hooks, because a repository can bring programs for them. Filters stay, because Git LFS needs them.
  const all = ['-C', directory, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args];
  // Windows, and a `PATH` with `.`, would look for `git` in the working directory, so that is not one of the repository.
  const cwd = dirname(process.execPath);
  const options = { cwd, env: { ...environment, LC_ALL: 'C' }, maxBuffer: 2 ** 30 };
  try {
    const { stdout } = await promisify(execFile)('git', all, options);
    return stdout.replace(/\r?\n$/u, '');
  } catch (error) {
    const { code, stderr = '' } = Object(error);
    const why =
      code === 'ENOENT'
        ? '`git` is not installed'
        : String(stderr)
            .trim()
            .replace(/^fatal: /u, '');
    throw failed(`\`--changed\` needs a git repository: ${why}`, error);
  }
}

function failed(message: string, cause?: unknown): SkillError {
  return new SkillError('source-failed', message, { cause });
}
