// Reads what discovery needs of one directory: the head of its `SKILL.md` and the sidecar, never a body or a resource.

import { basename, join } from 'node:path';
import {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticSite,
  type SkillProfile,
} from '../../diagnostics/diagnostic.ts';
import { isSkillError, SkillError } from '../../skill/error.ts';
import type { KnownEntry, SkillEntry } from '../../skill/source.ts';
import { type ContainedFile, containment, openContained, openVerified } from '../disk/contained-file.ts';
import { errnoOf, type FileSystem, isOutOfDescriptors, reasonOf } from '../disk/file-system.ts';
import { isRefusedHardLink } from '../disk/hard-links.ts';
import { readInto } from '../disk/read.ts';
import {
  type CandidateDirectory,
  entryIfUnchanged,
  joinStamps,
  sidecarSuffix,
  skillFileSuffix,
} from './skill-stamp.ts';

/** The frontmatter of 99.98 % of real skills ends within this many bytes. */
const headBytes = 4096;

const slabBytes = 64 * 1024;
const sidecarBytes = 64 * 1024;

/** What a directory turned out to be; `undefined` where it holds no `SKILL.md`. */
export type SkillHeadResult = { readonly entry: SkillEntry } | { readonly problem: Diagnostic } | undefined;

export interface SkillHeadOptions {
  readonly source: string;
  readonly followFileLinks: boolean;
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
  /** Under `strict` and `portable` a file with several hard links is not read. */
  readonly profile: SkillProfile;
}

/** Reads the head of one directory. */
export type SkillHeadReader = (candidate: CandidateDirectory) => SkillHeadResult;

/** Creates a reader that packs the heads of one scan into shared buffers and passes over what is known and unchanged. */
export function createSkillHeadReader(
  files: FileSystem,
  { source, followFileLinks, known, profile }: SkillHeadOptions,
): SkillHeadReader {
  let slab = new Uint8Array(0);
  let used = 0;

  /** Keeps only what is worth keeping: the next head is written over the rest. */
  function readHead({ descriptor, bytes }: ContainedFile): Uint8Array {
    if (slab.length - used < headBytes) {
      slab = new Uint8Array(slabBytes);
      used = 0;
    }
    const start = used;
    // A file that is read to the size that it has needs no second read to find its end.
    const wanted = bytes === 0 ? headBytes : Math.min(bytes, headBytes);
    const filled = readInto(files, descriptor, slab, start, wanted);
    used = endOfHead(slab, start, start + filled);
    return slab.subarray(start, used);
  }

  return ({ spelled, real }) => {
    const site = { source, location: spelled + skillFileSuffix };
    try {
      const unchanged = entryIfUnchanged(files, { spelled, real }, known?.get(spelled), profile);
      if (unchanged !== undefined) return { entry: unchanged };
      const file = openSkillFile(files, real, followFileLinks);
      if (file === undefined) return undefined;
      try {
        if (isRefusedHardLink(file.links, profile)) return { problem: linked(site, 'SKILL.md', file.links, profile) };
        const head = readHead(file);
        const sidecar = readSidecar(files, real);
        // A sidecar can keep a skill from the model, so that it is not left aside.
        if (sidecar !== undefined && isRefusedHardLink(sidecar.links, profile)) {
          return { problem: linked(site, 'agents/openai.yaml', sidecar.links, profile) };
        }
        const stamp = joinStamps(file.stamp, sidecar === undefined ? '' : sidecar.stamp);
        const entry: { -readonly [Key in keyof SkillEntry]: SkillEntry[Key] } = {
          directory: spelled,
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
      return { problem: explain(files, error, join(real, 'SKILL.md'), site) };
    }
  };
}

/** Says why a `SKILL.md` that is there was not read; running out of descriptors says nothing about it and is thrown on. */
function explain(files: FileSystem, error: unknown, path: string, site: DiagnosticSite): Diagnostic {
  if (isSkillError(error)) {
    if (error.code === 'resource-outside-skill') return createDiagnostic('skill-outside-root', site);
    return createDiagnostic('skill-file-special', site, { kind: kindOf(statusOf(files, path)) });
  }
  const errno = errnoOf(error);
  if (isOutOfDescriptors(errno)) throw error;
  if (errno === 'ENOENT' || errno === 'ELOOP') return createDiagnostic('skill-broken-link', site);
  if (errno === 'ENXIO') return createDiagnostic('skill-file-special', site, { kind: kindOf(statusOf(files, path)) });
  return createDiagnostic('skill-file-unreadable', site, { reason: reasonOf(errno) });
}

function linked(site: DiagnosticSite, file: string, links: number, profile: SkillProfile): Diagnostic {
  return createDiagnostic('skill-file-linked', site, { file, links }, profile);
}

function kindOf(status: ReturnType<typeof statusOf>): string {
  if (status?.isDirectory()) return 'a directory';
  if (status?.isFIFO()) return 'a pipe';
  if (status?.isSocket()) return 'a socket';
  if (status?.isSymbolicLink()) return 'a link';
  return 'a device';
}

/** Opens the file named exactly `SKILL.md`; `undefined` where there is none, also where only the case differs. */
function openSkillFile(files: FileSystem, directory: string, followLinks: boolean): ContainedFile | undefined {
  const path = directory + skillFileSuffix;
  try {
    if (containment() === 'kernel') return openVerified(files, directory, path, 'SKILL.md');
  } catch (error) {
    if (isSkillError(error)) throw error;
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined;
    // The file is a link, which is allowed as long as it stays in the skill.
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

/** A sidecar that cannot be read is none: it only adds to what `SKILL.md` says. */
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
 * Finds where a head may end, for 10,000 of them are held at once: at its limit, unless it begins with a fence and another
 * line does, which ends the frontmatter.
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
