// Reads what discovery needs of one directory: the head of its `SKILL.md` and the sidecar, never a body or a resource.

import { basename, join, sep } from 'node:path';
import { createDiagnostic, type Diagnostic, type DiagnosticSite } from '../diagnostic.ts';
import { isSkillError, SkillError } from '../error.ts';
import type { KnownEntry, SkillEntry } from '../source.ts';
import { readInto } from './bounded-read.ts';
import {
  type ContainedFile,
  containment,
  openContained,
  openVerified,
  type PinnedDirectory,
} from './contained-file.ts';
import { errnoOf, type FileSystem, inodeOf, isExhaustion, reasonOf } from './file-system.ts';
import { formatIdentity } from './identity.ts';
import { joinStamps, recognise } from './known-entry.ts';

/** The frontmatter of 99.98 % of real skills ends within this many bytes. */
const headBytes = 4096;

/** Heads are cut to a multiple of this behind the closing fence, for 10,000 of them are held at once. */
const headGrain = 1024;

const slabBytes = 64 * 1024;
const sidecarBytes = 64 * 1024;

/** A directory to look at: its path as the source spells it, and the same without links. */
export interface CandidateDirectory {
  readonly spelled: string;
  readonly real: string;
}

/** What a directory turned out to be; `undefined` where it holds no `SKILL.md`. */
export type SkillHeadResult = { readonly entry: SkillEntry } | { readonly problem: Diagnostic } | undefined;

export interface SkillHeadOptions {
  readonly source: string;
  readonly followFileLinks: boolean;
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
}

export type SkillHeadReader = (candidate: CandidateDirectory) => SkillHeadResult;

/** Creates a reader that packs the heads of one scan into shared buffers and passes over what is known and unchanged. */
export function createSkillHeadReader(
  files: FileSystem,
  { source, followFileLinks, known }: SkillHeadOptions,
): SkillHeadReader {
  const scratch = new Uint8Array(headBytes);
  let slab = new Uint8Array(0);
  let used = 0;

  /** Reads into memory that stays warm, and keeps only what is worth keeping. */
  function readHead({ descriptor }: ContainedFile): Uint8Array {
    const filled = readInto(files, descriptor, scratch, 0, headBytes);
    const kept = endOfHead(scratch.subarray(0, filled));
    if (slab.length - used < kept) {
      slab = new Uint8Array(slabBytes);
      used = 0;
    }
    slab.set(scratch.subarray(0, kept), used);
    used += kept;
    return slab.subarray(used - kept, used);
  }

  return ({ spelled, real }) => {
    const site = { source, location: `${spelled}${sep}SKILL.md` };
    try {
      const unchanged = recognise(files, { spelled, real }, known?.get(spelled));
      if (unchanged !== undefined) return { entry: unchanged };
      const directory = pinDirectory(files, real);
      if (directory === undefined) return undefined;
      const file = openSkillFile(files, directory, followFileLinks);
      if (file === undefined) return undefined;
      try {
        const head = readHead(file);
        const sidecar = readSidecar(files, directory);
        return {
          entry: {
            directory: spelled,
            location: site.location,
            identity: formatIdentity(directory),
            head,
            bytes: file.bytes,
            ...(sidecar === undefined ? {} : { sidecar: sidecar.content }),
            ...joinStamps(file.stamp, sidecar === undefined ? '' : sidecar.stamp),
          },
        };
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
  if (isExhaustion(errno)) throw error;
  if (errno === 'ENOENT' || errno === 'ELOOP') return createDiagnostic('skill-broken-link', site);
  if (errno === 'ENXIO') return createDiagnostic('skill-file-special', site, { kind: kindOf(statusOf(files, path)) });
  return createDiagnostic('skill-file-unreadable', site, { reason: reasonOf(errno) });
}

function kindOf(status: ReturnType<typeof statusOf>): string {
  if (status?.isDirectory()) return 'a directory';
  if (status?.isFIFO()) return 'a pipe';
  if (status?.isSocket()) return 'a socket';
  if (status?.isSymbolicLink()) return 'a link';
  return 'a device';
}

function pinDirectory(files: FileSystem, real: string): PinnedDirectory | undefined {
  try {
    const status = files.lstat(real);
    if (!status.isDirectory()) return undefined;
    return { realPath: real, inode: inodeOf(status, () => files.lstatExactly(real)) };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Opens the file named exactly `SKILL.md`; `undefined` where there is none, also where only the case differs. */
function openSkillFile(files: FileSystem, directory: PinnedDirectory, followLinks: boolean): ContainedFile | undefined {
  const path = `${directory.realPath}${sep}SKILL.md`;
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

function withoutStamp({ descriptor, bytes }: ContainedFile): ContainedFile {
  return { descriptor, bytes };
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

/** A sidecar that cannot be read is none: it only adds to what `SKILL.md` says. */
function readSidecar(
  files: FileSystem,
  directory: PinnedDirectory,
): { readonly content: Uint8Array; readonly stamp: string | undefined } | undefined {
  if (!files.exists(`${directory.realPath}${sep}agents${sep}openai.yaml`)) return undefined;
  try {
    const { descriptor, bytes, stamp } = openContained(files, directory, ['agents', 'openai.yaml']);
    try {
      if (bytes > sidecarBytes) return undefined;
      const content = new Uint8Array(bytes);
      return { content: content.subarray(0, readInto(files, descriptor, content, 0, bytes)), stamp };
    } finally {
      files.close(descriptor);
    }
  } catch (error) {
    if (!isSkillError(error) && isExhaustion(errnoOf(error))) throw error;
    return undefined;
  }
}

/** Finds how much of a head to keep: all of it, unless a line `---` behind the first one ends the frontmatter early. */
function endOfHead(head: Uint8Array): number {
  const dash = 0x2d;
  for (let newline = head.indexOf(0x0a, 3); newline !== -1; newline = head.indexOf(0x0a, newline + 1)) {
    if (head[newline + 1] !== dash || head[newline + 2] !== dash || head[newline + 3] !== dash) continue;
    const end = newline + 8;
    return Math.min(head.length, Math.ceil(end / headGrain) * headGrain);
  }
  return head.length;
}
