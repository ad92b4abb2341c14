// Reads what discovery needs from one directory: the head of its `SKILL.md` and its sidecar, never a body or a resource.

import {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticSite,
  type SkillProfile,
} from '../../diagnostics/diagnostic.ts';
import { findHeadEnd } from '../../format/head-end.ts';
import { isSkillError } from '../../skill/error.ts';
import { maxFrontmatterBytes } from '../../skill/limits.ts';
import type { KnownEntry, SkillEntry } from '../../skill/source.ts';
import { type ContainedFile, isRefusedHardLink, isStable, openContained } from '../disk/contained-file.ts';
import { describeErrno, errnoOf, type FileSystem, isOutOfDescriptors, orElse } from '../disk/file-system.ts';
import { readAndClose, readInto } from '../disk/read.ts';
import { explainUnread, openSkillFile } from './skill-file.ts';
import {
  agentsSuffix,
  type CandidateDirectory,
  entryIfUnchanged,
  type FoundSkill,
  hasLowercaseTwin,
  inodeOfDirectory,
  joinStamps,
  sidecarSuffix,
  skillFileSuffix,
  twinSuffix,
} from './skill-stamp.ts';

/** 99.98 % of real frontmatters end within this many bytes. */
const headBytes = 4096;

const slabBytes = 64 * 1024;
/** One more than it may have, so that a longer one is known to be too long. */
const sidecarBytes = maxFrontmatterBytes + 1;

/** A skill, or why it could not be read; `undefined` if the directory has no `SKILL.md`. */
export type SkillHeadResult = FoundSkill | { readonly problem: Diagnostic } | undefined;

export interface SkillHeadOptions {
  readonly source: string;
  readonly followFileLinks: boolean;
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
  /** `strict` and `portable` do not read a file with several hard links. */
  readonly profile: SkillProfile;
}

/** Reads the head of one directory. */
export type SkillHeadReader = (candidate: CandidateDirectory) => SkillHeadResult;

/** Creates a reader for one scan, which packs the heads into shared buffers and skips what is known and unchanged. */
export function createSkillHeadReader(
  files: FileSystem,
  { source, followFileLinks, known, profile }: SkillHeadOptions,
): SkillHeadReader {
  let slab = new Uint8Array(0);
  let used = 0;

  /** Keeps only the frontmatter: the next head overwrites the rest. */
  function readHead({ descriptor, bytes }: ContainedFile): Uint8Array {
    if (slab.length - used < headBytes) {
      slab = new Uint8Array(slabBytes);
      used = 0;
    }
    const start = used;
    // Reading exactly to the size of the file saves a second read that would only find its end.
    const wanted = bytes === 0 ? headBytes : Math.min(bytes, headBytes);
    const filled = readInto(files, descriptor, slab, start, wanted);
    used = findHeadEnd(slab, start, start + filled);
    return slab.subarray(start, used);
  }

  function siteOf(directory: string): DiagnosticSite {
    return { source, location: directory + skillFileSuffix };
  }

  function readSkill({ directory, real }: CandidateDirectory): SkillHeadResult {
    const site = siteOf(directory);
    const file = openSkillFile(files, real, followFileLinks);
    if (file === undefined) return undefined;
    try {
      if (isRefusedHardLink(file.links, profile)) return { problem: linked(site, 'SKILL.md', file.links, profile) };
      const head = readHead(file);
      // Before looking into the directory, so that anything added afterwards changes its time.
      const place = files.lstat(real);
      const hasAgents = mayBeThere(files, real + agentsSuffix);
      const hasSecond = mayBeThere(files, real + twinSuffix);
      const sidecar = hasAgents ? readSidecar(files, real) : undefined;
      if (sidecar !== undefined && isRefusedHardLink(sidecar.links, profile)) {
        return { problem: linked(site, 'agents/openai.yaml', sidecar.links, profile) };
      }
      const stamp = joinStamps(file.stamp, sidecar === undefined ? '' : sidecar.stamp);
      const entry: { -readonly [Key in keyof SkillEntry]: SkillEntry[Key] } = {
        directory,
        location: site.location,
        identity: real,
        inode: inodeOfDirectory(place, () => files.lstatExactly(real)),
        head,
        bytes: file.bytes,
      };
      if (sidecar !== undefined) entry.sidecar = sidecar.content;
      if (stamp !== undefined) entry.stamp = stamp;
      if (!hasAgents && !hasSecond && isStable(place)) entry.plainSince = place.ctimeMs;
      return { entry, hasTwin: hasSecond && hasLowercaseTwin(files, real) };
    } finally {
      files.close(file.descriptor);
    }
  }

  return (candidate) => {
    const { directory, real } = candidate;
    try {
      const unchanged = entryIfUnchanged(files, candidate, known?.get(directory), profile);
      return unchanged ?? readSkill(candidate);
    } catch (error) {
      return { problem: explainUnread(files, error, real, siteOf(directory)) };
    }
  };
}

function linked(site: DiagnosticSite, file: string, links: number, profile: SkillProfile): Diagnostic {
  return createDiagnostic('skill-file-linked', site, { file, links }, profile);
}

interface Sidecar {
  /** Or why it was not read, because the sidecar may restrict the skill. */
  readonly content: Uint8Array | string;
  readonly stamp: string | undefined;
  readonly links: number;
}

/** Checks whether there is anything at a path, even a broken link; true if that is unknown. */
function mayBeThere(files: FileSystem, path: string): boolean {
  return orElse(true, () => files.lstatIfThere(path) !== undefined);
}

/** Reads the sidecar, if anything has its name. */
function readSidecar(files: FileSystem, directory: string): Sidecar | undefined {
  try {
    const status = files.lstatIfThere(directory + sidecarSuffix);
    if (status === undefined) return undefined;
    const file = openContained(files, directory, ['agents', 'openai.yaml']);
    const content = readAndClose(files, file, sidecarBytes);
    return { content, stamp: status.isFile() ? file.stamp : undefined, links: file.links };
  } catch (error) {
    return { content: explainSidecar(error), stamp: undefined, links: 1 };
  }
}

function explainSidecar(error: unknown): string {
  if (isSkillError(error)) {
    return error.code === 'resource-outside-skill' ? 'it leads out of the skill' : 'it is not a regular file';
  }
  const errno = errnoOf(error);
  if (isOutOfDescriptors(errno)) throw error;
  return errno === 'ENOENT' ? 'it is a broken link' : describeErrno(errno);
}
