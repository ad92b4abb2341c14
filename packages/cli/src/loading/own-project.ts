// Trusts a project that contains nothing from others, so that the user can use skills there as soon as they are created.

import { type Dirent, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findProject, isTrustedProject, loadSettings, setProjectTrusted } from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { changeSettings } from './change-settings.ts';
import { entriesOf, isEntered } from './entries.ts';

/** The most directories to search. A project with more could contain anything. */
const maxDirectories = 5000;

/** Files that an agent reads in a trusted project, in lower case. */
const filesForAgents: ReadonlySet<string> = new Set(['skill.md', 'agents.md', 'claude.md']);

/** A project, and whether it can be trusted without a review. */
export interface OwnProject {
  readonly root: string;
  /** True if it is already trusted, or contains nothing that trust would make available to an agent. */
  readonly isOwn: boolean;
}

/** Finds the project around a directory. Call it before anything is created there. Opens no file. */
export async function findOwnProject(cwd: string, { environment }: CommandLine): Promise<OwnProject> {
  const { root } = findProject(cwd);
  const { trustedProjects } = await loadSettings({ environment });
  return { root, isOwn: (await isTrustedProject(root, trustedProjects)) || isFreeOfSkills(root) };
}

/** Trusts a project if it contains nothing from others; returns whether it is trusted. */
export async function trustOwnProject({ root, isOwn }: OwnProject, io: CommandLine): Promise<boolean> {
  if (isOwn) await changeSettings((settings) => setProjectTrusted(root, true, settings), io);
  return isOwn;
}

function isFreeOfSkills(root: string): boolean {
  const queue = [root];
  for (let next = 0; next < queue.length; next += 1) {
    const current = queue[next] ?? root;
    const entries = next < maxDirectories ? entriesOf(current) : undefined;
    if (entries === undefined || entries.some((entry) => isForAgents(current, entry))) return false;
    for (const { name } of entries.filter(isEntered)) queue.push(join(current, name));
  }
  return true;
}

function isForAgents(directory: string, entry: Dirent): boolean {
  const { name } = entry;
  // Many disks ignore letter case.
  const [file, parent] = [name.toLowerCase(), basename(directory).toLowerCase()];
  if (filesForAgents.has(file) || (file === 'config.json' && parent === '.skillful')) return true;
  // A link to a directory may lead to skills that are not searched here or that appear later.
  return entry.isSymbolicLink() && !isFile(join(directory, name));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
