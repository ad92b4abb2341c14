// Decides whether a directory that a root or a link leads to may be searched.

import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isBelow } from '../disk/contained-file.ts';
import { describeErrno, errnoOf, type FileSystem, isOutOfDescriptors } from '../disk/file-system.ts';
import { findHazard } from '../disk/ownership.ts';

export interface PlaceOptions {
  readonly source: string;
  /** Real path of the bundle that no link may lead out of. */
  readonly boundary?: string | undefined;
  /** Real path of the project that the root belongs to. */
  readonly project?: string | undefined;
  /** Whether the root and its links may lead out of the project. */
  readonly allowExternal?: boolean | undefined;
  /** Reads nothing from a directory that other users can change; looks at its parents up to this one, too. */
  readonly safeUpTo?: string | undefined;
}

/** Why a directory is not searched, or what to say if it is. */
type Verdict = { readonly problem: Diagnostic } | { readonly notes: readonly Diagnostic[] };

/** Judges a directory by its real path. `location` is the root or the link that leads to it. */
export function judgePlace(files: FileSystem, location: string, real: string, options: PlaceOptions): Verdict {
  const { source, boundary, project, allowExternal = true, safeUpTo } = options;
  const site = { source, location };
  if (boundary !== undefined && !isInside(boundary, real)) {
    return { problem: createDiagnostic('skill-outside-root', site) };
  }
  const isExternal = project !== undefined && !isInside(project, real);
  if (isExternal && !allowExternal) return { problem: createDiagnostic('path-external', site) };
  const notes = isExternal ? [createDiagnostic('root-external', site, { target: real })] : [];
  const reason = findHazard(files, real, safeUpTo !== undefined && isInside(safeUpTo, real) ? safeUpTo : real);
  if (reason === undefined) return { notes };
  if (safeUpTo !== undefined) return { problem: createDiagnostic('root-refused', site, { reason }) };
  return { notes: [...notes, createDiagnostic('root-unsafe', site, { reason })] };
}

/** Finds and judges the directory behind a link; `undefined` for a link to anything else. */
export function findTarget(
  files: FileSystem,
  link: string,
  options: PlaceOptions,
):
  | ({ readonly real: string } & Extract<Verdict, { readonly notes: unknown }>)
  | { readonly problem: Diagnostic }
  | undefined {
  const site = { source: options.source, location: link };
  try {
    const real = files.realpath(link);
    if (!files.stat(real).isDirectory()) return undefined;
    return { real, ...judgePlace(files, link, real, options) };
  } catch (error) {
    const errno = errnoOf(error);
    if (isOutOfDescriptors(errno)) throw error;
    if (errno === 'ENOENT' || errno === 'ENOTDIR' || errno === 'ELOOP') {
      return { problem: createDiagnostic('skill-broken-link', site) };
    }
    return { problem: createDiagnostic('root-unreadable', site, { reason: describeErrno(errno) }) };
  }
}

function isInside(directory: string, path: string): boolean {
  return path === directory || isBelow(directory, path);
}
