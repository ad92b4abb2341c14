// Reads what discovery needs from one directory: the head of its `SKILL.md` and its sidecar, never a body or a resource.

import {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticSite,
  type SkillProfile,
} from '../../diagnostics/diagnostic.ts';
import { findHeadEnd } from '../../format/fences/fast-fence.ts';
import { maxFrontmatterBytes } from '../../skill/limits.ts';
import type { SkillEntry } from '../../skill/source.ts';
import { type ContainedFile, isRefusedHardLink, isStable, openContained } from '../disk/contained-file.ts';
import { type FileSystem, mayBeThere, orElse } from '../disk/file-system.ts';
import { hazardOf } from '../disk/ownership.ts';
import { explainFailure, readAndClose, readInto } from '../disk/read.ts';
import { assertReachable, type ReachOptions } from './reach.ts';
import { explainUnread, openSkillFile } from './skill-file.ts';
import {
  agentsSuffix,
  type CandidateDirectory,
  entryIfUnchanged,
  type FoundSkill,
  hasLowercaseTwin,
  inodeOfDirectory,
  isListed,
  joinStamps,
  sidecarSuffix,
  skillFileSuffix,
  twinSuffix,
} from './skill-stamp.ts';

/** Bytes that are enough for 99.98% of public frontmatters. */
const headBytes = 4096;

const slabBytes = 64 * 1024;

/** Heads are read into it one after the other, and share it, because thousands of small buffers take time and memory. */
let slab = new Uint8Array(0);
let used = 0;

/** One byte more than allowed, so that a longer sidecar is recognised. */
const sidecarBytes = maxFrontmatterBytes + 1;

/** A skill, or a problem with reading it; `undefined` if the directory has no `SKILL.md`. */
export type SkillHeadResult = FoundSkill | { readonly problem: Diagnostic } | undefined;

export interface SkillHeadOptions extends ReachOptions {
  readonly source: string;
  /** Whether a `SKILL.md` may be a link. */
  readonly followFileLinks: boolean;
  /** Under `strict` and `portable`, files with several hard links are not read. */
  readonly profile: SkillProfile;
  /** The current user; absent on Windows. */
  readonly user?: number | undefined;
}

/** Reads the head of a skill, unless it is known and has not changed. */
export function readSkillHead(
  files: FileSystem,
  candidate: CandidateDirectory,
  options: SkillHeadOptions,
): SkillHeadResult {
  const { directory, real } = candidate;
  const { known, profile, user } = options;
  try {
    const unchanged = entryIfUnchanged(files, candidate, known?.get(directory), profile, user);
    return unchanged ?? readSkill(files, candidate, options);
  } catch (error) {
    assertReachable(files, candidate, { known });
    return { problem: explainUnread(files, error, real, siteOf(candidate, options)) };
  }
}

function readSkill(files: FileSystem, candidate: CandidateDirectory, options: SkillHeadOptions): SkillHeadResult {
  const { directory, real } = candidate;
  const { followFileLinks, profile, user } = options;
  const site = siteOf(candidate, options);
  const found = openSkillFile(files, real, followFileLinks);
  if (found === undefined) return undefined;
  const { file, home } = found;
  try {
    const { size, nlink } = file.status;
    if (isRefusedHardLink(nlink, profile)) return { problem: linked(site, 'SKILL.md', nlink, profile) };
    const head = readHead(files, file, options);
    // Read before the directory's content, so that anything added afterwards changes the time.
    const place = files.lstat(home);
    const hasAgents = mayBeThere(files, home + agentsSuffix);
    const hasSecond = mayBeThere(files, home + twinSuffix);
    if (hasSecond && !orElse(true, () => isListed(files, home, 'SKILL.md'))) return undefined;
    const sidecar = hasAgents ? readSidecar(files, home) : undefined;
    if (sidecar !== undefined && isRefusedHardLink(sidecar.links, profile)) {
      return { problem: linked(site, 'agents/openai.yaml', sidecar.links, profile) };
    }
    const stamp = joinStamps(file.stamp, sidecar === undefined ? '' : sidecar.stamp);
    const entry: { -readonly [Key in keyof SkillEntry]: SkillEntry[Key] } = {
      directory,
      location: site.location,
      identity: home,
      inode: inodeOfDirectory(files, place, home),
      head,
      bytes: size,
    };
    if (sidecar !== undefined) entry.sidecar = sidecar.content;
    if (stamp !== undefined) entry.stamp = stamp;
    if (!hasAgents && !hasSecond && isStable(place)) entry.plainSince = place.ctimeMs;
    const own = hazardOf(place, user) ?? hazardOf(file.status, user);
    const hazard = home === real ? own : (own ?? hazardOf(files.lstat(real), user));
    return { entry, hasTwin: hasSecond && hasLowercaseTwin(files, home), hazard };
  } finally {
    files.close(file.descriptor);
  }
}

function readHead(files: FileSystem, { descriptor, status }: ContainedFile, { known }: ReachOptions): Uint8Array {
  if (slab.length - used < headBytes) {
    slab = new Uint8Array(slabBytes);
    used = 0;
  }
  // Reading exactly the size of the file saves a second read that would only find the end.
  const wanted = status.size === 0 ? headBytes : Math.min(status.size, headBytes);
  const filled = readInto(files, descriptor, slab, used, wanted);
  const start = used;
  const end = start + findHeadEnd(slab.subarray(start, start + filled));
  // Of known skills, few are read again. Each of them would keep the whole slab in memory.
  if (known !== undefined) return slab.slice(start, end);
  used = end;
  return slab.subarray(start, end);
}

function siteOf({ directory }: CandidateDirectory, { source }: SkillHeadOptions): DiagnosticSite {
  return { source, location: directory + skillFileSuffix };
}

function linked(site: DiagnosticSite, file: string, links: number, profile: SkillProfile): Diagnostic {
  return createDiagnostic('skill-file-linked', site, { file, links }, profile);
}

interface Sidecar {
  /** The bytes, or why they could not be read, which matters because a sidecar may restrict the skill. */
  readonly content: Uint8Array | string;
  readonly stamp: string | undefined;
  readonly links: number;
}

/** Reads the sidecar, if there is anything with its name. */
function readSidecar(files: FileSystem, directory: string): Sidecar | undefined {
  try {
    if (files.lstatIfThere(directory + sidecarSuffix) === undefined) return undefined;
    const file = openContained(files, directory, ['agents', 'openai.yaml']);
    const content = readAndClose(files, file, sidecarBytes);
    return { content, stamp: file.stamp, links: file.status.nlink };
  } catch (error) {
    return { content: explainFailure(error, 'the skill') ?? 'it is a broken link', stamp: undefined, links: 1 };
  }
}
