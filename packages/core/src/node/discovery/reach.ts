// Distinguishes a directory that is only out of reach, such as on a disconnected network drive, from one that is gone or closed.

import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { SkillError } from '../../skill/error.ts';
import type { KnownEntry } from '../../skill/source.ts';
import { isAtOrBelow } from '../disk/contained-file.ts';
import { answerOf, describeErrno, type FileSystem, isLink } from '../disk/file-system.ts';
import type { CandidateDirectory } from './skill-stamp.ts';

export interface ReachOptions {
  /** The skills that were found before, by their directories. */
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
}

/** Codes that say something about a directory itself. */
const answers: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/**
 * Checks that the code of a failed call says something about a directory.
 *
 * @throws {SkillError} `source-failed` if the directory was only out of reach, and skills were found there before, so that they
 * are kept
 */
function assertAnswered(errno: string, path: string, { known = new Map() }: ReachOptions): void {
  if (answers.has(errno)) return;
  const isKnown = [...known.keys()].some((directory) => isAtOrBelow(path, directory));
  if (isKnown) throw new SkillError('source-failed', `${describeErrno(errno)} for the directory \`${path}\``);
}

/** Explains why a directory cannot be searched; `undefined` if nothing is there. Throws as `assertAnswered` does. */
export function explainUnsearched(
  files: FileSystem,
  error: unknown,
  path: string,
  options: ReachOptions & { readonly source: string },
): Diagnostic | undefined {
  const site = { source: options.source, location: path };
  const errno = answerOf(error);
  if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errno) && isLink(files, path))
    return createDiagnostic('skill-broken-link', site);
  if (errno === 'ENOENT') return undefined;
  assertAnswered(errno, path, options);
  return createDiagnostic('root-unreadable', site, { reason: describeErrno(errno) });
}

/** Checks that a directory in which something could not be read is not out of reach itself. Throws as `assertAnswered` does. */
export function assertReachable(
  files: FileSystem,
  { directory, real }: CandidateDirectory,
  options: ReachOptions,
): void {
  try {
    files.lstat(real);
  } catch (error) {
    assertAnswered(answerOf(error), directory, options);
  }
}
