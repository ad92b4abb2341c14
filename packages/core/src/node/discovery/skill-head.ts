// Reads what discovery needs from one directory: the head of its `SKILL.md` and its sidecar, never a body or a resource.

import { basename } from 'node:path';
import {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticSite,
  type SkillProfile,
} from '../../diagnostics/diagnostic.ts';
import { isSkillError, SkillError } from '../../skill/error.ts';
import type { KnownEntry, SkillEntry } from '../../skill/source.ts';
import {
  type ContainedFile,
  containment,
  isRefusedHardLink,
  openContained,
  openVerified,
} from '../disk/contained-file.ts';
import { describeErrno, errnoOf, type FileSystem, isOutOfDescriptors } from '../disk/file-system.ts';
import { readInto } from '../disk/read.ts';
import {
  type CandidateDirectory,
  entryIfUnchanged,
  joinStamps,
  sidecarSuffix,
  skillFileSuffix,
} from './skill-stamp.ts';

/** 99.98 % of real frontmatters end within this many bytes. */
const headBytes = 4096;

const slabBytes = 64 * 1024;
const sidecarBytes = 64 * 1024;

/** A skill, or why it could not be read; `undefined` if the directory has no `SKILL.md`. */
export type SkillHeadResult = { readonly entry: SkillEntry } | { readonly problem: Diagnostic } | undefined;

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
    used = endOfHead(slab, start, start + filled);
    return slab.subarray(start, used);
  }

  return ({ directory, real }) => {
    const site = { source, location: directory + skillFileSuffix };
    try {
      const unchanged = entryIfUnchanged(files, { directory, real }, known?.get(directory), profile);
      if (unchanged !== undefined) return { entry: unchanged };
      const file = openSkillFile(files, real, followFileLinks);
      if (file === undefined) return undefined;
      try {
        if (isRefusedHardLink(file.links, profile)) return { problem: linked(site, 'SKILL.md', file.links, profile) };
        const head = readHead(file);
        const sidecar = readSidecar(files, real);
        // Not ignored like other bad sidecars, because it may hide its skill from the model.
        if (sidecar !== undefined && isRefusedHardLink(sidecar.links, profile)) {
          return { problem: linked(site, 'agents/openai.yaml', sidecar.links, profile) };
        }
        const stamp = joinStamps(file.stamp, sidecar === undefined ? '' : sidecar.stamp);
        const entry: { -readonly [Key in keyof SkillEntry]: SkillEntry[Key] } = {
          directory,
          location: site.location,
          identity: real,
          head,
          bytes: file.bytes,
        };
        if (sidecar !== undefined) entry.sidecar = sidecar.content;
        if (stamp !== undefined) entry.stamp = stamp;
        return { entry };
      } finally {
        files.close(file.descriptor);
      }
    } catch (error) {
      return { problem: explain(files, error, real + skillFileSuffix, site) };
    }
  };
}

/** Explains why an existing `SKILL.md` was not read. Rethrows "too many open files", because that says nothing about it. */
function explain(files: FileSystem, error: unknown, path: string, site: DiagnosticSite): Diagnostic {
  if (isSkillError(error)) {
    if (error.code === 'resource-outside-skill') return createDiagnostic('skill-outside-root', site);
    return createDiagnostic('skill-file-special', site, { kind: describeKind(statusOf(files, path)) });
  }
  const errno = errnoOf(error);
  if (isOutOfDescriptors(errno)) throw error;
  if (errno === 'ENOENT' || errno === 'ELOOP') return createDiagnostic('skill-broken-link', site);
  if (errno === 'ENXIO')
    return createDiagnostic('skill-file-special', site, { kind: describeKind(statusOf(files, path)) });
  return createDiagnostic('skill-file-unreadable', site, { reason: describeErrno(errno) });
}

function linked(site: DiagnosticSite, file: string, links: number, profile: SkillProfile): Diagnostic {
  return createDiagnostic('skill-file-linked', site, { file, links }, profile);
}

function describeKind(status: ReturnType<typeof statusOf>): string {
  if (status?.isDirectory()) return 'a directory';
  if (status?.isFIFO()) return 'a pipe';
  if (status?.isSocket()) return 'a socket';
  if (status?.isSymbolicLink()) return 'a link';
  return 'a device';
}

/** Opens the file named exactly `SKILL.md`; `undefined` if there is none, or only one in another case. */
function openSkillFile(files: FileSystem, directory: string, followLinks: boolean): ContainedFile | undefined {
  const path = directory + skillFileSuffix;
  try {
    if (containment() === 'kernel') return openVerified(files, directory, path, 'SKILL.md');
  } catch (error) {
    if (isSkillError(error)) throw error;
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined;
    // The file is a link, which is allowed if it stays in the skill.
    if (errno !== 'ELOOP') throw error;
    if (!followLinks) throw notFollowed();
    return withoutStamp(openContained(files, directory, ['SKILL.md']));
  }
  const status = statusOf(files, path);
  if (status === undefined) return undefined;
  if (!status.isSymbolicLink() && basename(files.realpath(path)) !== 'SKILL.md') return undefined;
  if (status.isSymbolicLink() && !followLinks) throw notFollowed();
  const file = openContained(files, directory, ['SKILL.md']);
  return status.isSymbolicLink() ? withoutStamp(file) : file;
}

function notFollowed(): SkillError {
  return new SkillError('resource-unreadable', '`SKILL.md` is a link, which this source does not follow.');
}

function withoutStamp({ descriptor, bytes, links }: ContainedFile): ContainedFile {
  return { descriptor, bytes, links };
}

function statusOf(files: FileSystem, path: string): ReturnType<FileSystem['lstat']> | undefined {
  try {
    return files.lstat(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined;
    throw error;
  }
}

interface Sidecar {
  readonly content: Uint8Array;
  readonly stamp: string | undefined;
  readonly links: number;
}

/** Reads the sidecar. One that cannot be read is ignored, because it only adds to `SKILL.md`. */
function readSidecar(files: FileSystem, directory: string): Sidecar | undefined {
  if (!files.exists(directory + sidecarSuffix)) return undefined;
  try {
    const { descriptor, bytes, links, stamp } = openContained(files, directory, ['agents', 'openai.yaml']);
    try {
      if (bytes > sidecarBytes) return undefined;
      const content = new Uint8Array(bytes);
      return { content: content.subarray(0, readInto(files, descriptor, content, 0, bytes)), stamp, links };
    } finally {
      files.close(descriptor);
    }
  } catch (error) {
    if (!isSkillError(error) && isOutOfDescriptors(errnoOf(error))) throw error;
    return undefined;
  }
}

const dash = 0x2d;
const lineFeed = 0x0a;

/**
 * Finds where a head may end, because 10,000 of them are in memory at once: after the line that closes the frontmatter, else at
 * the limit.
 */
function endOfHead(bytes: Uint8Array, start: number, limit: number): number {
  if (bytes[start] !== dash) return limit;
  let fence = false;
  for (let at = start + 3; at < limit; at += 1) {
    if (bytes[at] !== lineFeed) continue;
    if (fence) return at + 1;
    fence = bytes[at + 1] === dash && bytes[at + 2] === dash && bytes[at + 3] === dash;
  }
  return limit;
}
