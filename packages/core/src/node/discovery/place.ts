// Decides whether the directory to which a root or a link leads may be searched, and who can change what is in it.

import { basename } from 'node:path';
import { createDiagnostic, type Diagnostic, type DiagnosticSite } from '../../diagnostics/diagnostic.ts';
import { isAtOrBelow } from '../disk/contained-file.ts';
import type { FileSystem } from '../disk/file-system.ts';
import { findHazard } from '../disk/ownership.ts';
import { explainUnsearched, type ReachOptions } from './reach.ts';
import type { CandidateDirectory, FoundSkill } from './skill-stamp.ts';

export interface PlaceOptions {
  readonly source: string;
  /** Real path of the bundle, which links must not leave. */
  readonly boundary?: string | undefined;
  /** Real path of the project of the root. */
  readonly project?: string | undefined;
  /** Whether the root and its links may lead out of the project. */
  readonly allowExternal?: boolean | undefined;
  /** Refuses a directory if other users can change it or a parent up to this one. */
  readonly safeUpTo?: string | undefined;
  /** Only reports that other users can change it. */
  readonly allowUnsafe?: boolean | undefined;
}

/** Why a directory is not searched, or diagnostics to report if it is. */
type Verdict = { readonly problem: Diagnostic } | { readonly notes: readonly Diagnostic[] };

/** Decides about a directory by its real path. `location` is the root or the link that leads to it. */
export function judgePlace(files: FileSystem, location: string, real: string, options: PlaceOptions): Verdict {
  const { source, boundary, project, allowExternal = true, safeUpTo } = options;
  const site = { source, location };
  if (boundary !== undefined && !isAtOrBelow(boundary, real)) {
    return { problem: createDiagnostic('skill-outside-root', site) };
  }
  const isExternal = project !== undefined && !isAtOrBelow(project, real);
  if (isExternal && !allowExternal) return { problem: createDiagnostic('path-external', site) };
  const notes = isExternal ? [createDiagnostic('root-external', site, { target: real })] : [];
  const verdict = judgeOwner(files, { directory: location, real }, options, safeUpTo);
  return 'problem' in verdict ? verdict : { notes: [...notes, ...verdict.notes] };
}

/** Decides about a directory by who can change it, or one of its parents up to `top`, which may be elsewhere. */
export function judgeOwner(
  files: FileSystem,
  { directory, real }: CandidateDirectory,
  { source, safeUpTo, allowUnsafe = false }: PlaceOptions,
  top?: string,
): Verdict {
  const reason = findHazard(files, real, top);
  if (reason === undefined) return { notes: [] };
  const site = { source, location: directory };
  if (safeUpTo !== undefined && !allowUnsafe) return { problem: createDiagnostic('root-refused', site, { reason }) };
  return { notes: [createDiagnostic('root-unsafe', site, { reason })] };
}

/** Reports once that other users can change some of the skills in a directory. */
export function reportUnsafeSkills(unsafe: readonly FoundSkill[], site: DiagnosticSite): readonly Diagnostic[] {
  const [first] = unsafe;
  if (first === undefined) return [];
  const skill = basename(first.entry.directory);
  return [createDiagnostic('skill-unsafe', site, { count: unsafe.length, skill, reason: `${first.hazard} it` })];
}

/** Finds the directory behind a link, and decides about it; `undefined` if there is none. */
export function findTarget(
  files: FileSystem,
  link: string,
  options: PlaceOptions & ReachOptions,
): (Verdict & { readonly real: string }) | { readonly problem: Diagnostic } | undefined {
  try {
    const real = files.realpath(link);
    if (!files.stat(real).isDirectory()) return undefined;
    return { real, ...judgePlace(files, link, real, options) };
  } catch (error) {
    const problem = explainUnsearched(files, error, link, options);
    return problem && { problem };
  }
}
