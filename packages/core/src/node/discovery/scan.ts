// Walks a root for skills: bounded, in an order that the disk has no say in, each real directory once.

import { join, sep } from 'node:path';
import { createDiagnostic, type Diagnostic, type SkillProfile } from '../../diagnostics/diagnostic.ts';
import { isSkillError } from '../../skill/error.ts';
import type { KnownEntry, SkillEntry, SkillListing } from '../../skill/source.ts';
import { isBelow, prefixOf } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { errnoOf, type FileSystem, isOutOfDescriptors, reasonOf } from '../disk/file-system.ts';
import { findHazard } from '../disk/ownership.ts';
import { createSlices } from '../disk/slices.ts';
import { type DirectoryNames, readNames, sortedAtOnce } from './directory-names.ts';
import { findSkillsBeside, type RootOptions, resolveRoot } from './root.ts';
import { createSkillHeadReader } from './skill-head.ts';
import type { CandidateDirectory } from './skill-stamp.ts';
import { hasLowercaseTwin, twinName } from './skill-twin.ts';

export interface ScanOptions extends RootOptions {
  readonly depth: number;
  readonly followSymlinks: boolean;
  /** Whether a `SKILL.md` may be a link. */
  readonly followFileLinks: boolean;
  readonly maxDirectories: number;
  readonly maxEntries: number;
  readonly hidden: boolean;
  /** Whether the root may be a skill itself. */
  readonly rootSkill: boolean;
  /** Where set, nothing is read if the root or a directory above it, up to this one, is in the hands of others. */
  readonly safeUpTo?: string | undefined;
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
  /** Under `strict` and `portable` a file with several hard links is not read, and a `skill.md` beside a `SKILL.md` is looked for. */
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
 * @throws {SkillError} `source-failed` where the system has no descriptors left
 */
export async function scanRoot(files: FileSystem, path: string, options: ScanOptions): Promise<SkillListing> {
  const { source, signal, boundary, profile } = options;
  const slices = createSlices(signal);
  const diagnostics: Diagnostic[] = [];
  const entries: SkillEntry[] = [];
  const readSkill = createSkillHeadReader(files, options);
  const seen = new Set<string>();
  const hidden: Level[] = [];
  let searched = 0;
  let truncated = false;

  /** Visits a directory; returns true if the walk should descend into it. */
  async function visit(candidate: Level): Promise<boolean> {
    if (seen.has(candidate.real)) return false;
    seen.add(candidate.real);
    if (slices.isOver()) await slices.rest();
    const result = await waitForDescriptors(() => readSkill(candidate), signal);
    if (result === undefined) return true;
    if ('entry' in result) {
      entries.push(result.entry);
      if (profile !== 'lenient' && hasLowercaseTwin(files, candidate.real)) {
        const site = { source, location: result.entry.location };
        diagnostics.push(createDiagnostic('skill-file-twin', site, { file: twinName }, profile));
      }
    } else diagnostics.push(result.problem);
    // A bad file in the root itself must not hide the skills below it.
    return 'problem' in result && candidate.level === 0;
  }

  async function walk(start: Level): Promise<void> {
    if (start.level === 0 && !options.rootSkill) seen.add(start.real);
    else if (!(await visit(start))) return;
    await search([start]);
  }

  /** Walks on from directories that were looked at; what is hidden below them is put aside. */
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
      if (names.misspelled !== undefined) {
        const location = join(current.spelled, names.misspelled);
        diagnostics.push(createDiagnostic('skill-file-case', { source, location }, { file: names.misspelled }));
      }
      if (current.level >= options.depth) continue;
      for (const name of names.garbled) {
        const location = join(current.spelled, name);
        diagnostics.push(createDiagnostic('directory-name-encoding', { source, location }, { name }, profile));
      }
      const realPrefix = prefixOf(current.real);
      const spelledPrefix = prefixOf(current.spelled);
      const below = (name: string): Level => {
        const real = realPrefix + name;
        const spelled = current.spelled === current.real ? real : spelledPrefix + name;
        return { spelled, real, level: current.level + 1 };
      };
      for (const name of names.directories) {
        const candidate = below(name);
        if (await visit(candidate)) (isHidden(candidate) ? hidden : queue).push(candidate);
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
    const real = await waitForDescriptors(() => targetOf(link), signal);
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
      if (isOutOfDescriptors(errno)) throw error;
      diagnostics.push(createDiagnostic('skill-broken-link', { source, location: link.spelled }));
      return undefined;
    }
  }

  async function namesOf(directory: Level): Promise<DirectoryNames | undefined> {
    try {
      return await readNames(files, directory.real, slices, options);
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

  const root = await waitForDescriptors(() => resolveRoot(files, path, options), signal);
  if ('problem' in root) return { entries: [], diagnostics: [root.problem] };
  const reason = await waitForDescriptors(() => findHazard(files, root.real, options.safeUpTo), signal);
  if (reason !== undefined) {
    const site = { source, location: root.spelled };
    if (options.safeUpTo !== undefined) {
      return { entries: [], diagnostics: [createDiagnostic('root-refused', site, { reason })] };
    }
    diagnostics.push(createDiagnostic('root-unsafe', site, { reason }));
  }
  diagnostics.push(...(await findSkillsBeside(files, root, slices, options)));
  await walk({ spelled: root.spelled, real: root.real, level: 0 });
  // Mostly caches, which would use up what may be searched before the rest was.
  while (hidden.length > 0) await search(hidden.splice(0));
  if (truncated) {
    const limit = `${options.maxDirectories} directories or ${options.maxEntries} entries of one directory`;
    diagnostics.push(createDiagnostic('scan-truncated', { source, location: root.spelled }, { limit }));
  }
  if (entries.length > sortedAtOnce) await slices.rest();
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
