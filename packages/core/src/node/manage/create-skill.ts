// Creates skills on disk, so that a crash or a second process never leaves half a skill, and the directories for them.

import { lstatSync, mkdirSync, openSync, readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isSkillError, SkillError } from '../../skill/error.ts';
import { isBelow } from '../disk/contained-file.ts';
import { makeDirectory, syncDirectory } from '../disk/directory.ts';
import { errnoOf } from '../disk/file-system.ts';
import { removeLeftovers, temporaryPath } from '../disk/leftovers.ts';
import { type DiskWrites, nodeDiskWrites, replaceFile, syncChange, writeFailed, writeNewFile } from '../disk/write.ts';
import { canonicalPath, findProject } from '../environment/project.ts';
import { findUserDirectories, type UserDirectoriesOptions } from '../environment/user-directories.ts';
import { formatDraft, type SkillDraft } from './skill-draft.ts';

/** Where a skill was put. */
export interface WrittenSkill {
  readonly directory: string;
  readonly location: string;
}

export interface OwnDirectoryOptions extends UserDirectoriesOptions {
  /** @default 'skillful' */
  readonly name?: string | undefined;
  /** @default process.cwd() */
  readonly cwd?: string | undefined;
}

/**
 * Gives the directory of the client's own skills: `<config>/<name>/skills` or `<project>/.<name>/skills`.
 *
 * @throws {SkillError} `skill-protected` where that of the project leads out of it through a link
 */
export function ownSkillsDirectory(scope: 'user' | 'project', options: OwnDirectoryOptions = {}): string {
  const { name = 'skillful', cwd = process.cwd() } = options;
  if (scope === 'user') return join(findUserDirectories(options).config, name, 'skills');
  const { root } = findProject(cwd);
  const directory = join(root, `.${name}`, 'skills');
  if (isBelow(root, finalPath(directory))) return directory;
  throw new SkillError(
    'skill-protected',
    `\`.${name}/skills\` leads out of the project through a link, so nothing is written there. Remove the link, or work where it leads to.`,
  );
}

/** A skill is nobody's secret: others may read it as far as the user lets them read any new file. */
const asUsual: DiskWrites = { ...nodeDiskWrites, create: (path) => openSync(path, 'wx', 0o666) };

/** Where something would be written: without links, and where one leads nowhere yet, the place that it leads to. */
function finalPath(path: string): string {
  const real = canonicalPath(path);
  for (let current = real; dirname(current) !== current; current = dirname(current)) {
    if (lstatSync(current, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      return resolve(dirname(current), readlinkSync(current));
    }
  }
  return real;
}

/**
 * Creates a skill below a root, complete or not at all. Of several processes that create the same one, one succeeds.
 *
 * @throws {SkillError} `options-invalid` where the draft breaks a rule of the specification, `skill-exists`, `write-failed`
 */
export async function writeSkill(root: string, draft: SkillDraft): Promise<WrittenSkill> {
  const text = formatDraft(draft);
  const directory = join(root, draft.name);
  const temporary = temporaryPath(directory, 'tmp');
  try {
    makeDirectory(root);
    removeLeftovers(root);
    mkdirSync(temporary);
    writeNewFile(join(temporary, 'SKILL.md'), text, asUsual);
    syncDirectory(temporary);
    if (!claimName(temporary, directory)) {
      throw new SkillError(
        'skill-exists',
        `There is already something called \`${draft.name}\`, at \`${directory}\`. Choose another name or remove that.`,
      );
    }
    syncChange(root);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw isSkillError(error) ? error : writeFailed(error);
  }
  return { directory, location: join(directory, 'SKILL.md') };
}

/** Codes of a rename onto what is there, which may be gone by the time somebody looks. */
const takenCodes: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/** Gives a directory its name; false where anything but an empty directory has it. */
function claimName(temporary: string, directory: string): boolean {
  try {
    renameSync(temporary, directory);
    return true;
  } catch (error) {
    // Windows says that it is not permitted, which may mean anything.
    if (takenCodes.has(errnoOf(error)) || isTaken(directory)) return false;
    throw error;
  }
}

function isTaken(directory: string): boolean {
  try {
    const status = lstatSync(directory);
    return !status.isDirectory() || readdirSync(directory).length > 0;
  } catch (error) {
    errnoOf(error);
    return false;
  }
}

const readme = `# Skills

Each directory here is a skill: a folder with a \`SKILL.md\` that tells an agent how to do something.

    <name>/SKILL.md      what the skill is for, and the instructions
    <name>/references/   texts that the instructions refer to
    <name>/scripts/      programs that they refer to
    <name>/assets/       other files

A \`SKILL.md\` starts with its name, which is the name of its folder, and with a description that says what the skill does
and when to use it:

    ---
    name: release-notes
    description: Writes release notes from the git history. Use when a version is about to be published.
    ---

    1. List the commits since the last tag.
    2. Group them by what they mean for users.

The format is described at https://agentskills.io/specification.
`;

/**
 * Makes a directory for skills, with a README that explains it; one that is there is kept as it is.
 *
 * @returns whether anything had to be made
 * @throws {SkillError} `write-failed`
 */
export async function initSkills(root: string): Promise<boolean> {
  try {
    makeDirectory(root);
  } catch (error) {
    throw writeFailed(error);
  }
  const path = join(root, 'README.md');
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
  await replaceFile(path, readme, asUsual);
  return true;
}

/** Milliseconds after which a file manager that has not ended is taken for one that is open. */
const openedAfter = 2000;

/**
 * Opens a directory in the file manager of the desktop, and does not wait until that is closed.
 *
 * @throws {SkillError} `write-failed` where there is none
 */
export async function openDirectory(path: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  const command = platform === 'darwin' ? 'open' : platform === 'win32' ? 'explorer.exe' : 'xdg-open';
  const { spawn } = await import('node:child_process');
  const child = spawn(command, [path], { detached: true, stdio: 'ignore' });
  const code = await new Promise<number | null | 'open'>((settle) => {
    const timer = setTimeout(() => {
      child.unref();
      settle('open');
    }, openedAfter);
    const end = (ended: number | null): void => {
      clearTimeout(timer);
      settle(ended);
    };
    child.once('error', () => end(null)).once('exit', end);
  });
  // The explorer ends with 1 when all is well.
  if (code === 'open' || code === 0 || (platform === 'win32' && code === 1)) return;
  throw new SkillError('write-failed', `\`${command}\` could not open the directory \`${path}\`. Open it by hand.`);
}
