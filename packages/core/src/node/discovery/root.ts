// Finds the directory to search for a root.

import { basename, join } from 'node:path';
import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Turn } from '../../runtime/turns.ts';
import { isSkillError, SkillError } from '../../skill/error.ts';
import type { KnownEntry } from '../../skill/source.ts';
import { isAtOrBelow, isBelow } from '../disk/contained-file.ts';
import { describeErrno, errnoOf, type FileSystem, isLink, isOutOfDescriptors, orElse } from '../disk/file-system.ts';
import { type ReadNamesOptions, readNames } from './directory-names.ts';
import type { CandidateDirectory } from './skill-stamp.ts';

export interface RootOptions {
  readonly source: string;
  readonly skillsChild: boolean;
  readonly known?: ReadonlyMap<string, KnownEntry> | undefined;
}

/** A directory to search for skills. */
export interface FoundRoot extends CandidateDirectory {
  /** The root itself, if its child `skills` is searched instead. */
  readonly given?: CandidateDirectory;
}

/** Resolves a root to its real path, or to its child `skills` if that contains the skills. */
export function resolveRoot(
  files: FileSystem,
  path: string,
  options: RootOptions,
): FoundRoot | { readonly problem: Diagnostic } {
  const site = { source: options.source, location: path };
  try {
    const real = files.realpath(path);
    if (!files.stat(real).isDirectory()) {
      return { problem: createDiagnostic('root-unreadable', site, { reason: describeErrno('ENOTDIR') }) };
    }
    if (options.skillsChild && basename(path) !== 'skills' && !files.exists(join(real, 'SKILL.md'))) {
      const child = join(real, 'skills');
      if (orElse(false, () => files.stat(child).isDirectory()) && !files.exists(join(child, 'SKILL.md'))) {
        return { directory: join(path, 'skills'), real: files.realpath(child), given: { directory: path, real } };
      }
    }
    return { directory: path, real };
  } catch (error) {
    const errno = errnoOf(error);
    if (isOutOfDescriptors(errno)) throw error;
    if (isLink(files, path) && (errno === 'ENOENT' || errno === 'ELOOP')) {
      return { problem: createDiagnostic('skill-broken-link', site) };
    }
    if (errno === 'ENOENT') return { problem: createDiagnostic('root-missing', site) };
    assertAnswered(errno, path, options.known);
    return { problem: createDiagnostic('root-unreadable', site, { reason: describeErrno(errno) }) };
  }
}

/** Codes that say something about a directory itself. */
const answers: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/**
 * Checks that a directory was not merely out of reach, as on a network drive that is away.
 *
 * @throws {SkillError} `source-failed` if it was, and skills were found there before, so that they are kept
 */
export function assertAnswered(errno: string, path: string, known: RootOptions['known']): void {
  if (answers.has(errno)) return;
  const isKnown = [...(known?.keys() ?? [])].some((directory) => isAtOrBelow(path, directory));
  if (isKnown) throw new SkillError('source-failed', `A directory could not be read: ${describeErrno(errno)}`);
}

/** Entries of a directory to check for skills next to its child `skills`. */
const maxBeside = 500;

/**
 * Finds skills that are missed because the child `skills` next to them is searched. Checks the first 500 entries; reports if
 * there are more.
 */
export async function findSkillsBeside(
  files: FileSystem,
  { real: searched, given }: FoundRoot,
  turn: Turn,
  options: Pick<ReadNamesOptions, 'hidden' | 'signal'> & { readonly source: string },
): Promise<readonly Diagnostic[]> {
  if (given === undefined) return [];
  const { source } = options;
  try {
    const names = await readNames(files, given.real, turn, { ...options, maxEntries: maxBeside });
    const beside = [...names.directories, ...names.links]
      .filter((name) => {
        const file = join(given.real, name, 'SKILL.md');
        // Except the searched directory itself and links into it, because their skills are found anyway.
        return files.exists(file) && !isBelow(searched, files.realpath(file));
      })
      .map((name) => {
        return createDiagnostic('skill-beside-skills', { source, location: join(given.directory, name, 'SKILL.md') });
      });
    if (!names.truncated) return beside;
    const limit = `${maxBeside} entries beside the directory \`skills\``;
    return [createDiagnostic('scan-truncated', { source, location: given.directory }, { limit }), ...beside];
  } catch (error) {
    if (isSkillError(error) || options.signal?.aborted) throw error;
    if (isOutOfDescriptors(errnoOf(error))) throw error;
    // An unreadable parent does not matter, because only its child is searched.
    return [];
  }
}
