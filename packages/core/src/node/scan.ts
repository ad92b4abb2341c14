// Walks a root for skills: bounded, in an order that the disk has no say in, each real directory once.

import { basename, join, sep } from 'node:path';
import { createDiagnostic, type Diagnostic } from '../diagnostic.ts';
import { isSkillError } from '../error.ts';
import type { KnownEntry, SkillEntry, SkillListing } from '../source.ts';
import { isBelow } from './contained-file.ts';
import { isExhausted, outlastExhaustion } from './exhaustion.ts';
import { errnoOf, type FileSystem, isExhaustion, reasonOf } from './file-system.ts';
import { type CandidateDirectory, createSkillHeadReader } from './skill-head.ts';
import { createSlices, type Slices } from './slices.ts';

export interface ScanOptions {
  readonly source: string;
  readonly depth: number;
  readonly followSymlinks: boolean;
  readonly maxDirectories: number;
  readonly maxEntries: number;
  readonly skillsChild: boolean;
  /** Real directory that no link may lead out of; without it a link may lead to a skill anywhere. */
  readonly boundary?: string;
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
  readonly signal: AbortSignal | undefined;
}

interface Level extends CandidateDirectory {
  /** Steps below the root, which is 0. */
  readonly level: number;
}

interface DirectoryNames {
  readonly directories: readonly string[];
  readonly links: readonly string[];
  /** A file that is `SKILL.md` but for its case. */
  readonly misspelled: string | undefined;
  readonly truncated: boolean;
}

/** Sorting more than this takes a slice of its own. */
const sortedAtOnce = 10_000;

const neverEntered: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * Lists the skills below a root.
 *
 * @throws {SkillError} `source-failed` where the system has no descriptors left
 */
export async function scanRoot(files: FileSystem, path: string, options: ScanOptions): Promise<SkillListing> {
  const { source, signal, boundary } = options;
  const slices = createSlices(signal);
  const diagnostics: Diagnostic[] = [];
  const entries: SkillEntry[] = [];
  const readSkill = createSkillHeadReader(files, source, options.known);
  const seen = new Set<string>();
  let searched = 0;
  let truncated = false;

  /** Looks at one directory; true where it is one to walk on into. A promise only where descriptors have run out. */
  function visit(candidate: Level): boolean | Promise<boolean> {
    try {
      return take(candidate);
    } catch (error) {
      if (!isExhausted(error)) throw error;
      return outlastExhaustion(() => take(candidate), signal);
    }
  }

  function take(candidate: Level): boolean {
    if (seen.has(candidate.real)) return false;
    const result = readSkill(candidate);
    seen.add(candidate.real);
    if (result === undefined) return true;
    if ('entry' in result) entries.push(result.entry);
    else diagnostics.push(result.problem);
    // A bad file in the root itself must not hide the skills below it.
    return 'problem' in result && candidate.level === 0;
  }

  async function walk(start: Level): Promise<void> {
    const links: Level[] = [];
    const queue: Level[] = (await visit(start)) ? [start] : [];
    for (let next = 0; next < queue.length; next += 1) {
      const current = queue[next];
      if (current === undefined) break;
      if (searched >= options.maxDirectories) {
        truncated = true;
        break;
      }
      searched += 1;
      const names = await namesOf(current);
      if (names === undefined) continue;
      if (names.truncated) truncated = true;
      if (names.misspelled !== undefined) {
        const location = join(current.spelled, names.misspelled);
        diagnostics.push(createDiagnostic('skill-file-case', { source, location }, { file: names.misspelled }));
      }
      if (current.level >= options.depth) continue;
      const below = (name: string): Level => ({
        spelled: join(current.spelled, name),
        real: current.real === sep ? sep + name : `${current.real}${sep}${name}`,
        level: current.level + 1,
      });
      for (const name of names.directories) {
        if (slices.isOver()) await slices.rest();
        const child = below(name);
        const visited = visit(child);
        if (typeof visited === 'boolean' ? visited : await visited) queue.push(child);
      }
      links.push(...names.links.map(below));
    }
    // Links come last, so that a directory keeps the name that it has itself.
    for (const link of links) {
      if (slices.isOver()) await slices.rest();
      await followLink(link);
    }
  }

  async function followLink(link: Level): Promise<void> {
    const real = await outlastExhaustion(() => targetOf(link), signal);
    if (real === undefined) return;
    if (options.followSymlinks) await walk({ ...link, real });
    else await visit({ ...link, real });
  }

  /** The real directory behind a link; a link to anything else is passed over. */
  function targetOf(link: Level): string | undefined {
    try {
      const real = files.realpath(link.spelled);
      if (!files.stat(real).isDirectory()) return undefined;
      if (boundary === undefined || isBelow(boundary, real)) return real;
      diagnostics.push(createDiagnostic('skill-outside-root', { source, location: link.spelled }));
      return undefined;
    } catch (error) {
      const errno = errnoOf(error);
      if (isExhaustion(errno)) throw error;
      diagnostics.push(createDiagnostic('skill-broken-link', { source, location: link.spelled }));
      return undefined;
    }
  }

  async function namesOf(directory: Level): Promise<DirectoryNames | undefined> {
    try {
      return await readNames(files, directory.real, options.maxEntries, slices, signal);
    } catch (error) {
      if (isSkillError(error) || signal?.aborted) throw error;
      const errno = errnoOf(error);
      const site = { source, location: directory.spelled };
      if (errno === 'ENOENT') {
        // Removed while the walk went on, which only for the root is worth a word.
        if (directory.level === 0) diagnostics.push(createDiagnostic('root-missing', site));
        return undefined;
      }
      diagnostics.push(createDiagnostic('root-unreadable', site, { reason: reasonOf(errno) }));
      return undefined;
    }
  }

  const root = await outlastExhaustion(() => resolveRoot(files, path, options), signal);
  if ('problem' in root) return { entries: [], diagnostics: [root.problem] };
  if (await outlastExhaustion(() => isOpenToAll(files, root.real), signal)) {
    diagnostics.push(createDiagnostic('root-unsafe', { source, location: root.spelled }));
  }
  await walk({ ...root, level: 0 });
  if (truncated) {
    const limit = `${options.maxDirectories} directories or ${options.maxEntries} entries of one directory`;
    diagnostics.push(createDiagnostic('scan-truncated', { source, location: root.spelled }, { limit }));
  }
  if (entries.length > sortedAtOnce) await slices.rest();
  return { entries: entries.sort(byDirectory), diagnostics: diagnostics.sort(byLocation) };
}

/** Finds the real root, or the `skills` directory in it that is meant. */
function resolveRoot(
  files: FileSystem,
  path: string,
  options: ScanOptions,
): CandidateDirectory | { readonly problem: Diagnostic } {
  const site = { source: options.source, location: path };
  try {
    const real = files.realpath(path);
    if (!files.stat(real).isDirectory()) {
      return { problem: createDiagnostic('root-unreadable', site, { reason: reasonOf('ENOTDIR') }) };
    }
    if (options.skillsChild && basename(path) !== 'skills' && !files.exists(join(real, 'SKILL.md'))) {
      const child = join(real, 'skills');
      if (isDirectory(files, child) && !files.exists(join(child, 'SKILL.md'))) {
        return { spelled: join(path, 'skills'), real: files.realpath(child) };
      }
    }
    if (options.boundary !== undefined && !isBelow(options.boundary, real)) {
      return { problem: createDiagnostic('skill-outside-root', site) };
    }
    return { spelled: path, real };
  } catch (error) {
    const errno = errnoOf(error);
    if (isExhaustion(errno)) throw error;
    if (errno === 'ENOENT') return { problem: createDiagnostic('root-missing', site) };
    return { problem: createDiagnostic('root-unreadable', site, { reason: reasonOf(errno) }) };
  }
}

function isDirectory(files: FileSystem, path: string): boolean {
  try {
    return files.stat(path).isDirectory();
  } catch (error) {
    if (isExhaustion(errnoOf(error))) throw error;
    return false;
  }
}

/** Tells whether any user of the machine can put files there; the sticky bit of `/tmp` keeps them from each other's. */
function isOpenToAll(files: FileSystem, path: string): boolean {
  if (process.platform === 'win32') return false;
  try {
    return (files.stat(path).mode & 0o1002) === 0o002;
  } catch (error) {
    if (isExhaustion(errnoOf(error))) throw error;
    return false;
  }
}

/** Reads the names of a directory as far as discovery cares for them, sorted by code unit. */
async function readNames(
  files: FileSystem,
  path: string,
  maxEntries: number,
  slices: Slices,
  signal: AbortSignal | undefined,
): Promise<DirectoryNames> {
  const directories: string[] = [];
  const links: string[] = [];
  const misspelled: string[] = [];
  const directory = await outlastExhaustion(() => files.openDirectory(path), signal);
  let count = 0;
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (count === maxEntries) break;
      count += 1;
      if (count % 1024 === 0 && slices.isOver()) await slices.rest();
      const { name } = entry;
      if (name.startsWith('.') || neverEntered.has(name)) continue;
      if (entry.isDirectory()) directories.push(name);
      else if (entry.isSymbolicLink()) links.push(name);
      if (name !== 'SKILL.md' && name.length === 8 && name.toLowerCase() === 'skill.md') misspelled.push(name);
    }
    const truncated = count === maxEntries && directory.readSync() !== null;
    if (count > sortedAtOnce) await slices.rest();
    return { directories: directories.sort(), links: links.sort(), misspelled: misspelled.sort()[0], truncated };
  } finally {
    directory.closeSync();
  }
}

function byDirectory(a: SkillEntry, b: SkillEntry): number {
  return a.directory < b.directory ? -1 : 1;
}

function byLocation(a: Diagnostic, b: Diagnostic): number {
  if (a.location !== b.location) return a.location < b.location ? -1 : 1;
  return a.code < b.code ? -1 : 1;
}
