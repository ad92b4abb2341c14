// Stores the user's decisions about skills in one file: which are switched off, and which projects are trusted.

import { dirname, join } from 'node:path';
import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ConsentRecord } from '../../policy/consent.ts';
import { createOrder } from '../../runtime/in-order.ts';
import { parseJson, recordOf } from '../../runtime/record.ts';
import { isSkillError, SkillError } from '../../skill/error.ts';
import { checkAmounts, checkDecision } from '../../skill/options.ts';
import type { Skill } from '../../skill/skill.ts';
import { checkRootPath } from '../discovery/root.ts';
import { makeDirectory } from '../disk/directory.ts';
import { describeErrno, errnoOf } from '../disk/file-system.ts';
import { temporaryPath } from '../disk/leftovers.ts';
import { readSmallText } from '../disk/read.ts';
import { replaceFile, writeFailed } from '../disk/write.ts';
import { canonicalPath } from '../environment/project.ts';
import { checkClientName, findUserDirectories, type UserDirectoriesOptions } from '../environment/user-directories.ts';
import { decide, disabledIn, findMisshape, idsOf, type Stored, storeDecision } from './decisions.ts';
import { elapsed, withLock } from './lock.ts';
import { consentsIn, findMisshapenTrust, storeTrust, type TrustedProject, trustedIn } from './trusted.ts';

/** The settings of the user. A project has none, because it must not decide about itself. */
export interface Settings {
  /**
   * Checks whether a skill is switched on. Also accepts an id: `user:pdf`, `plugin:lint/deploy`, `project:pdf in /work/app`.
   *
   * @throws {SkillError} `options-invalid` if a text is no id
   */
  readonly isEnabled: (skill: Skill | string) => boolean;
  /** Ids of skills that are switched off, sorted. */
  readonly disabled: readonly string[];
  /** Canonical paths of the projects whose skills may be read. */
  readonly trustedProjects: readonly string[];
  /** The trusted projects with the time of each decision, and permanent consent. */
  readonly trust: {
    readonly projects: readonly TrustedProject[];
    /** Permanent consent to skills, by the keys of `settingsConsents`. */
    readonly consents: Readonly<Record<string, ConsentRecord>>;
  };
  readonly diagnostics: readonly Diagnostic[];
}

export interface SettingsOptions extends UserDirectoriesOptions {
  /**
   * Name of the client that owns the settings.
   * @default 'skillful'
   */
  readonly name?: string | undefined;
  /**
   * Milliseconds to wait for other processes that change the settings.
   * @default 2000
   */
  readonly lockTimeout?: number | undefined;
}

/** Bytes of the largest file that is read or written: enough for about 100,000 skills that are switched off. */
const maxSettingsBytes = 16 * 1024 * 1024;

/** Returns the path of the settings file. @throws {SkillError} `options-invalid` if the name is not valid */
export function settingsPath(options: SettingsOptions = {}): string {
  const { name = 'skillful' } = options;
  checkClientName(name);
  return join(findUserDirectories(options).config, name, 'settings.json');
}

/**
 * Loads the settings. Never rejects because of the file: if it is invalid, no project is trusted, and the skills that are
 * switched off are taken from a copy of what was last written by this package, so changes by hand since then are lost. Without that
 * copy, no skill is enabled.
 */
export async function loadSettings(options: SettingsOptions = {}): Promise<Settings> {
  const path = settingsPath(options);
  const { stored, problem } = readStored(path);
  const diagnostics: Diagnostic[] = [];
  if (problem !== undefined) {
    const outcome =
      stored === undefined
        ? 'every skill is switched off'
        : 'skills stay off that were off when Skillful last wrote it';
    diagnostics.push(createDiagnostic('settings-invalid', { location: path }, { reason: problem, outcome }));
  }
  const projects = new Map<string, string>();
  const valid = (problem === undefined && stored) || {};
  const trusted = trustedIn(valid);
  return {
    isEnabled: (skill) => stored !== undefined && decide(stored, idsOf(skill, projects)),
    disabled: disabledIn(stored ?? {}),
    trustedProjects: trusted.map(({ directory }) => directory),
    trust: { projects: trusted, consents: consentsIn(valid) },
    diagnostics,
  };
}

/**
 * Switches a skill on or off for every process that loads the settings afterwards. Does not affect skills of the same name in
 * other plugins or, unless you pass an id, in other projects.
 *
 * @throws {SkillError} `options-invalid` if a text is no id, or `enabled` is not a boolean; `settings-locked`, `settings-invalid`,
 * `write-failed`
 */
export async function setSkillEnabled(
  skill: Skill | string,
  enabled: boolean,
  options: SettingsOptions = {},
): Promise<void> {
  checkDecision('enabled', enabled);
  const ids = idsOf(skill);
  await updateSettings(options, (stored) => storeDecision(stored, ids, enabled));
}

/**
 * Adds or removes a trusted project, by its canonical path.
 *
 * @throws {SkillError} `options-invalid` if the path is empty or a `file:` URL, or `trusted` is not a boolean; `settings-locked`,
 * `settings-invalid`, `write-failed`
 */
export async function setProjectTrusted(
  project: string,
  trusted: boolean,
  options: SettingsOptions = {},
): Promise<void> {
  checkDecision('trusted', trusted);
  checkRootPath(project, 'the project');
  const canonical = canonicalPath(project);
  const since = trusted ? new Date().toISOString() : undefined;
  await updateSettings(options, (stored) => storeTrust(stored, canonical, since));
}

/** Changes the settings under the lock. Keeps changes by other processes, and fields that this version does not know. */
export async function updateSettings(options: SettingsOptions, change: (stored: Stored) => void): Promise<void> {
  const path = settingsPath(options);
  const { lockTimeout = 2000 } = options;
  checkAmounts({ lockTimeout });
  const until = elapsed() + lockTimeout;
  try {
    makeDirectory(dirname(path), 0o700);
    await inOrder(path, () => withLock(`${path}.lock`, until, () => rewrite(path, change)));
  } catch (error) {
    throw writeFailed(error);
  }
}

/** Runs changes by this process in order for each path, so that they need not compete for the lock. */
const inOrder = createOrder();

async function rewrite(path: string, change: (stored: Stored) => void): Promise<void> {
  const { stored, problem, text: broken } = readStored(path);
  // A broken file is only replaced if its content can be kept, which requires reading it.
  if (stored === undefined || (problem !== undefined && broken === undefined)) {
    throw new SkillError('settings-invalid', `The settings file is not valid: ${problem}. Fix or remove it.`);
  }
  // The broken file is kept, so that people can look into it.
  if (broken !== undefined) await replaceFile(temporaryPath(path, 'broken'), broken);
  // After damage to the file, trust must be given again.
  if (problem !== undefined) delete stored.trust;
  change(stored);
  const text = `${JSON.stringify(stored, undefined, 2)}\n`;
  if (Buffer.byteLength(text) > maxSettingsBytes) {
    throw new SkillError('settings-invalid', `The settings would have more than ${maxSettingsBytes} bytes.`);
  }
  // The copy is written first: if that fails, nothing has changed, and the copy is never older than the file.
  await replaceFile(backupPath(path), text).catch((error: unknown) => {
    // Even if writing the copy succeeded, the settings are unchanged.
    throw isSkillError(error) ? writeFailed(error.cause) : error;
  });
  await replaceFile(path, text);
}

function backupPath(path: string): string {
  return `${path}.backup`;
}

/** The stored settings, and what is wrong with the file. Without `stored`, the copy is invalid, too. */
interface ReadStored {
  readonly stored?: Stored;
  readonly problem?: string;
  /** The content of the invalid file, if it could be read. */
  readonly text?: string;
}

function readStored(path: string): ReadStored {
  const main = parseStored(path);
  if (main?.stored !== undefined) return main;
  if (main === undefined) return { stored: {} };
  const backup = parseStored(backupPath(path));
  return backup?.stored === undefined ? main : { ...main, stored: backup.stored };
}

/** Returns the content of one file, or the problem with it; `undefined` if there is no file. */
function parseStored(path: string): ReadStored | undefined {
  try {
    const read = readSmallText(path, maxSettingsBytes);
    if (read === undefined || 'problem' in read) return read;
    const { text } = read;
    const stored = parseJson(text);
    if (stored === undefined) return { problem: 'it is not JSON', text };
    const problem = findMisshape(stored) ?? findMisshapenTrust(recordOf(stored));
    return problem === undefined ? { stored: recordOf(stored) } : { problem, text };
  } catch (error) {
    return { problem: describeErrno(errnoOf(error)) };
  }
}
