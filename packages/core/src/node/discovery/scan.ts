// Searches a root for skills: within limits, in an order that does not depend on the disk, each real directory once.

import { join } from 'node:path';
import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isPromise } from '../../runtime/record.ts';
import { createTurn, type Turn } from '../../runtime/turns.ts';
import type { SkillEntry, SkillListing } from '../../skill/source.ts';
import { isBelow } from '../disk/contained-file.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { type FileSystem, orElse } from '../disk/file-system.ts';
import { currentUser } from '../disk/ownership.ts';
import { type DirectoryNames, type ReadNamesOptions, readNames } from './directory-names.ts';
import { type Level, levelsBelow } from './level.ts';
import { findTarget, judgeOwner, judgePlace, type PlaceOptions, reportUnsafeSkills } from './place.ts';
import { explainUnsearched } from './reach.ts';
import { findSkillsBeside, type RootOptions, resolveRoot } from './root.ts';
import { isOfInnerSkill } from './skill-directory.ts';
import { readSkillHead, type SkillHeadOptions, type SkillHeadResult } from './skill-head.ts';
import { type FoundSkill, skillFileSuffix, twinName } from './skill-stamp.ts';

export interface ScanOptions extends RootOptions, PlaceOptions, ReadNamesOptions, SkillHeadOptions {
  readonly depth: number;
  readonly followSymlinks: boolean;
  readonly maxDirectories: number;
  /** Whether the root may be a skill itself. */
  readonly rootSkill: boolean;
}

/** The state of one scan. */
interface Scan {
  readonly files: FileSystem;
  readonly options: ScanOptions;
  readonly turn: Turn;
  /** The real path of the root. */
  readonly top: string;
  /** The real paths of the directories that were visited. */
  readonly seen: Set<string>;
  /** Hidden directories, which are searched last. */
  readonly hidden: Level[];
  readonly entries: SkillEntry[];
  readonly diagnostics: Diagnostic[];
  /** The skills that other users can change. */
  readonly unsafe: FoundSkill[];
  /** The number of directories searched so far. */
  searched: number;
  truncated: boolean;
}

/**
 * Lists the skills below a root.
 *
 * @throws {SkillError} `source-failed` if no file descriptors are left, or if a directory in which skills were found before is out
 * of reach
 */
export async function scanRoot(files: FileSystem, path: string, options: ScanOptions): Promise<SkillListing> {
  const { source, signal } = options;
  signal?.throwIfAborted();
  const turn = createTurn();
  const root = await waitForDescriptors(() => resolveRoot(files, path, options), signal);
  if ('problem' in root) return { entries: [], diagnostics: [root.problem] };
  const { directory, real } = root;
  const verdict = await waitForDescriptors(() => judgePlace(files, directory, real, options), signal);
  if ('problem' in verdict) return { entries: [], diagnostics: [verdict.problem] };
  const diagnostics = [...verdict.notes, ...(await findSkillsBeside(files, root, turn, options))];
  const scan: Scan = {
    files,
    // Once for all skills, because a reload would spend a twentieth of its time on this question.
    options: { ...options, user: currentUser() },
    turn,
    top: real,
    seen: new Set(),
    hidden: [],
    entries: [],
    diagnostics,
    unsafe: [],
    searched: 0,
    truncated: false,
  };
  const top: Level = { directory, real, level: 0 };
  if (options.rootSkill) await visit(scan, top);
  else scan.seen.add(real);
  await search(scan, [top]);
  // Hidden directories come last, because most are caches, which would use up the limits.
  while (scan.hidden.length > 0) await search(scan, scan.hidden.splice(0));
  if (scan.truncated) {
    const limit = `${options.maxDirectories} directories or ${options.maxEntries} entries of one directory`;
    diagnostics.push(createDiagnostic('scan-truncated', { source, location: directory }, { limit }));
  }
  if (!diagnostics.some(({ code, location }) => code === 'root-unsafe' && location === directory)) {
    diagnostics.push(...reportUnsafeSkills(scan.unsafe, { source, location: directory }));
  }
  await turn(signal);
  return {
    entries: scan.entries.sort((a, b) => (a.directory < b.directory ? -1 : 1)),
    diagnostics: diagnostics.sort(byLocation),
  };
}

/**
 * Looks for a skill in a directory; returns true if there may be skills below it. Returns a promise only if it has to wait,
 * because thousands of promises take time.
 */
function visit(scan: Scan, candidate: Level): boolean | Promise<boolean> {
  const { files, options, seen } = scan;
  if (seen.has(candidate.real)) return false;
  seen.add(candidate.real);
  const result = waitForDescriptors(() => readSkillHead(files, candidate, options), options.signal);
  return isPromise(result) ? result.then((late) => record(scan, candidate, late)) : record(scan, candidate, result);
}

/** Records the result for a directory; returns true if there may be skills below it. */
function record(
  { files, options, entries, diagnostics, unsafe }: Scan,
  candidate: Level,
  result: SkillHeadResult,
): boolean {
  if (result === undefined) return true;
  const { source, profile } = options;
  if ('entry' in result && candidate.level === 0 && leadsToInnerSkill(files, result.entry.identity ?? candidate.real)) {
    diagnostics.push(createDiagnostic('skill-outside-root', { source, location: result.entry.location }));
  } else if ('entry' in result) {
    entries.push(result.entry);
    if (result.hazard !== undefined) unsafe.push(result);
    if (result.hasTwin) {
      const site = { source, location: result.entry.location };
      diagnostics.push(createDiagnostic('skill-file-twin', site, { file: twinName }, profile));
    }
  } else diagnostics.push(result.problem);
  // A `SKILL.md` in the root, valid or not, must not hide the skills below it.
  return candidate.level === 0;
}

/** Checks whether the `SKILL.md` of the root is a link into a skill below it, which is found by its own place. */
function leadsToInnerSkill(files: FileSystem, root: string): boolean {
  return orElse(false, () => isOfInnerSkill(files, root, files.realpath(root + skillFileSuffix)));
}

/** Searches below the directories in the queue, and adds those that it finds to the queue. */
async function search(scan: Scan, queue: Level[]): Promise<void> {
  const { turn, options } = scan;
  const { depth, maxDirectories, signal } = options;
  const links: Level[] = [];
  for (const current of queue) {
    if (scan.searched >= maxDirectories) {
      scan.truncated = true;
      break;
    }
    scan.searched += 1;
    const names = await namesOf(scan, current);
    if (names === undefined) continue;
    reportNames(scan, current, names);
    if (current.level >= depth) continue;
    const below = levelsBelow(current);
    for (const name of names.directories) {
      const waiting = turn(signal);
      if (waiting !== undefined) await waiting;
      const candidate = below(name);
      const visiting = visit(scan, candidate);
      const isOpen = isPromise(visiting) ? await visiting : visiting;
      if (isOpen && (await mayEnter(scan, candidate))) (name.startsWith('.') ? scan.hidden : queue).push(candidate);
    }
    // If the root may be a skill, its `SKILL.md` was visited with it.
    const isVisited = current.level === 0 && scan.options.rootSkill;
    links.push(...names.links.filter((name) => !(isVisited && name === 'SKILL.md')).map(below));
  }
  // Links come last, so that a directory is found by its own name if possible.
  for (const link of links) await followLink(scan, link);
}

/** Checks who can put skills into a directory between the root and its skills. The first that others can change is reported. */
async function mayEnter({ files, options, diagnostics }: Scan, candidate: Level): Promise<boolean> {
  if (candidate.level >= options.depth) return true;
  const verdict = await waitForDescriptors(() => judgeOwner(files, candidate, options), options.signal);
  if ('problem' in verdict) diagnostics.push(verdict.problem);
  // Reported once, because usually all of them belong to the same other user.
  else if (!diagnostics.some(({ code }) => code === 'root-unsafe')) diagnostics.push(...verdict.notes);
  return !('problem' in verdict);
}

async function namesOf(
  { files, turn, options, diagnostics }: Scan,
  parent: Level,
): Promise<DirectoryNames | undefined> {
  try {
    return await readNames(files, parent.real, turn, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const site = { source: options.source, location: parent.directory };
    // Deleted during the walk, which is reported for the root only.
    const gone = parent.level === 0 ? createDiagnostic('root-missing', site) : undefined;
    const problem = explainUnsearched(files, error, parent.directory, options) ?? gone;
    if (problem === undefined) return undefined;
    // Replaces the diagnostic for its `SKILL.md`, because nobody can know whether a directory that cannot be entered has one.
    const own = diagnostics.findIndex(
      ({ code, location }) => code === 'skill-file-unreadable' && location === parent.directory + skillFileSuffix,
    );
    if (own >= 0) diagnostics.splice(own, 1);
    diagnostics.push(problem);
    return undefined;
  }
}

/** Reports names that keep skills from being found. */
function reportNames(scan: Scan, { directory, level }: Level, names: DirectoryNames): void {
  const { source, profile, depth } = scan.options;
  const { misspelled, isSkill, garbled, truncated } = names;
  scan.truncated ||= truncated;
  if (misspelled !== undefined && !isSkill) {
    const site = { source, location: join(directory, misspelled) };
    scan.diagnostics.push(createDiagnostic('skill-file-case', site, { file: misspelled }));
  }
  for (const name of level < depth ? garbled : []) {
    const site = { source, location: join(directory, name) };
    scan.diagnostics.push(createDiagnostic('directory-name-encoding', site, { name }, profile));
  }
}

async function followLink(scan: Scan, link: Level): Promise<void> {
  const { files, turn, options, entries, diagnostics } = scan;
  await turn(options.signal);
  const target = await waitForDescriptors(() => findTarget(files, link.directory, options), options.signal);
  if (target === undefined) return;
  if ('problem' in target) {
    diagnostics.push(target.problem);
    return;
  }
  const before = entries.length;
  const found = { ...link, real: target.real };
  // A directory above the root is not searched through a link, because the walk would reach the root again.
  const isWalked = options.followSymlinks && !isBelow(found.real, scan.top);
  if ((await visit(scan, found)) && isWalked) await search(scan, [found]);
  if (entries.length > before) diagnostics.push(...target.notes);
}

function byLocation(a: Diagnostic, b: Diagnostic): number {
  if (a.location !== b.location) return a.location < b.location ? -1 : 1;
  return a.code < b.code ? -1 : 1;
}
