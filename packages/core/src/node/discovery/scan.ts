// Walks a root for skills: bounded, in an order that does not depend on the disk, and each real directory once.

import { join, sep } from 'node:path';
import { createDiagnostic, type Diagnostic, type SkillProfile } from '../../diagnostics/diagnostic.ts';
import { createTurn } from '../../runtime/turns.ts';
import { isSkillError } from '../../skill/error.ts';
import type { KnownEntry, SkillEntry, SkillListing } from '../../skill/source.ts';
import { isBelow, prefixOf } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { describeErrno, errnoOf, type FileSystem } from '../disk/file-system.ts';
import { type DirectoryNames, readNames } from './directory-names.ts';
import { findTarget, judgePlace, type PlaceOptions } from './place.ts';
import { findSkillsBeside, type RootOptions, resolveRoot } from './root.ts';
import { createSkillHeadReader } from './skill-head.ts';
import { type CandidateDirectory, twinName } from './skill-stamp.ts';

export interface ScanOptions extends RootOptions, PlaceOptions {
  readonly depth: number;
  readonly followSymlinks: boolean;
  /** Whether a `SKILL.md` may be a link. */
  readonly followFileLinks: boolean;
  readonly maxDirectories: number;
  readonly maxEntries: number;
  readonly hidden: boolean;
  /** Whether the root may be a skill itself. */
  readonly rootSkill: boolean;
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
  /** `strict` and `portable` do not read a file with several hard links. */
  readonly profile: SkillProfile;
  readonly signal: AbortSignal | undefined;
}

interface Level extends CandidateDirectory {
  /** Steps below the root, which is 0. */
  readonly level: number;
}

/**
 * Lists the skills below a root.
 *
 * @throws {SkillError} `source-failed` if no file descriptors are left
 */
export async function scanRoot(files: FileSystem, path: string, options: ScanOptions): Promise<SkillListing> {
  const { source, signal, profile } = options;
  signal?.throwIfAborted();
  const turn = createTurn();
  const diagnostics: Diagnostic[] = [];
  const entries: SkillEntry[] = [];
  const readSkill = createSkillHeadReader(files, options);
  const seen = new Set<string>();
  const hidden: Level[] = [];
  /** The real path of the root. */
  let top = '';
  let searched = 0;
  let truncated = false;

  /** Visits a directory; returns true if the walk should descend into it. */
  async function visit(candidate: Level): Promise<boolean> {
    if (seen.has(candidate.real)) return false;
    seen.add(candidate.real);
    await turn(signal);
    const result = await waitForDescriptors(() => readSkill(candidate), signal);
    if (result === undefined) return true;
    if ('entry' in result) {
      entries.push(result.entry);
      if (result.hasTwin) {
        const site = { source, location: result.entry.location };
        diagnostics.push(createDiagnostic('skill-file-twin', site, { file: twinName }, profile));
      }
    } else diagnostics.push(result.problem);
    // A `SKILL.md` in the root itself, good or bad, must not hide the skills below it.
    return candidate.level === 0;
  }

  async function walk(start: Level): Promise<void> {
    if (start.level === 0 && !options.rootSkill) seen.add(start.real);
    else if (!(await visit(start))) return;
    await search([start]);
  }

  /** Searches below directories that were visited. Hidden ones below them are put aside for later. */
  async function search(queue: Level[]): Promise<void> {
    const links: Level[] = [];
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
      if (names.misspelled !== undefined && !names.isSkill) {
        const location = join(current.directory, names.misspelled);
        diagnostics.push(createDiagnostic('skill-file-case', { source, location }, { file: names.misspelled }));
      }
      if (current.level >= options.depth) continue;
      for (const name of names.garbled) {
        const location = join(current.directory, name);
        diagnostics.push(createDiagnostic('directory-name-encoding', { source, location }, { name }, profile));
      }
      const prefix = prefixOf(current.directory);
      const realPrefix = prefixOf(current.real);
      const below = (name: string): Level => {
        const real = realPrefix + name;
        // Without links both are one string, which is kept for every skill.
        const directory = current.directory === current.real ? real : prefix + name;
        return { directory, real, level: current.level + 1 };
      };
      for (const name of names.directories) {
        const candidate = below(name);
        if (await visit(candidate)) (isHidden(candidate) ? hidden : queue).push(candidate);
      }
      links.push(...names.links.map(below));
    }
    // Links come last, so that a directory is found by its own name.
    for (const link of links) await followLink(link);
  }

  async function followLink(link: Level): Promise<void> {
    await turn(signal);
    const target = await waitForDescriptors(() => findTarget(files, link.directory, options), signal);
    if (target === undefined) return;
    if ('problem' in target) {
      diagnostics.push(target.problem);
      return;
    }
    const { real, notes } = target;
    const before = entries.length;
    // A walk from a directory above the root would come back here after everything else.
    if (options.followSymlinks && !isBelow(real, top)) await walk({ ...link, real });
    else await visit({ ...link, real });
    if (entries.length > before) diagnostics.push(...notes);
  }

  async function namesOf(parent: Level): Promise<DirectoryNames | undefined> {
    try {
      return await readNames(files, parent.real, turn, options);
    } catch (error) {
      if (isSkillError(error) || signal?.aborted) throw error;
      const errno = errnoOf(error);
      const site = { source, location: parent.directory };
      if (errno === 'ENOENT') {
        // Deleted during the walk. Reported for the root only.
        if (parent.level === 0) diagnostics.push(createDiagnostic('root-missing', site));
        return undefined;
      }
      diagnostics.push(createDiagnostic('root-unreadable', site, { reason: describeErrno(errno) }));
      return undefined;
    }
  }

  const root = await waitForDescriptors(() => resolveRoot(files, path, options), signal);
  if ('problem' in root) return { entries: [], diagnostics: [root.problem] };
  const verdict = await waitForDescriptors(() => judgePlace(files, root.directory, root.real, options), signal);
  if ('problem' in verdict) return { entries: [], diagnostics: [verdict.problem] };
  top = root.real;
  diagnostics.push(...verdict.notes, ...(await findSkillsBeside(files, root, turn, options)));
  await walk({ directory: root.directory, real: root.real, level: 0 });
  // Hidden directories come last: they are mostly caches, which would use up the limits.
  while (hidden.length > 0) await search(hidden.splice(0));
  if (truncated) {
    const limit = `${options.maxDirectories} directories or ${options.maxEntries} entries of one directory`;
    diagnostics.push(createDiagnostic('scan-truncated', { source, location: root.directory }, { limit }));
  }
  await turn(signal);
  return { entries: entries.sort(byDirectory), diagnostics: diagnostics.sort(byLocation) };
}

function isHidden({ real }: CandidateDirectory): boolean {
  return real[real.lastIndexOf(sep) + 1] === '.';
}

function byDirectory(a: SkillEntry, b: SkillEntry): number {
  return a.directory < b.directory ? -1 : 1;
}

function byLocation(a: Diagnostic, b: Diagnostic): number {
  if (a.location !== b.location) return a.location < b.location ? -1 : 1;
  return a.code < b.code ? -1 : 1;
}
