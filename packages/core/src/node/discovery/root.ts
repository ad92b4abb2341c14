// Finds the directory that a root means.

import { basename, join } from 'node:path';
import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { isSkillError } from '../../skill/error.ts';
import { isBelow } from '../disk/contained-file.ts';
import { errnoOf, type FileSystem, isLink, isOutOfDescriptors, orElse, reasonOf } from '../disk/file-system.ts';
import type { Slices } from '../disk/slices.ts';
import { type ReadNamesOptions, readNames } from './directory-names.ts';
import type { CandidateDirectory } from './skill-stamp.ts';

export interface RootOptions {
  readonly source: string;
  readonly skillsChild: boolean;
  /** Real directory that no link may lead out of; without it a link may lead to a skill anywhere. */
  readonly boundary?: string;
}

/** A directory that is searched for skills. */
export interface FoundRoot extends CandidateDirectory {
  /** The directory that was named, where its child `skills` is searched instead. */
  readonly named?: CandidateDirectory;
}

/** Finds the real root, or the `skills` directory in it that is meant. */
export function resolveRoot(
  files: FileSystem,
  path: string,
  options: RootOptions,
): FoundRoot | { readonly problem: Diagnostic } {
  const site = { source: options.source, location: path };
  try {
    const real = files.realpath(path);
    if (!files.stat(real).isDirectory()) {
      return { problem: createDiagnostic('root-unreadable', site, { reason: reasonOf('ENOTDIR') }) };
    }
    if (options.skillsChild && basename(path) !== 'skills' && !files.exists(join(real, 'SKILL.md'))) {
      const child = join(real, 'skills');
      if (isDirectory(files, child) && !files.exists(join(child, 'SKILL.md'))) {
        return { spelled: join(path, 'skills'), real: files.realpath(child), named: { spelled: path, real } };
      }
    }
    if (options.boundary !== undefined && !isBelow(options.boundary, real)) {
      return { problem: createDiagnostic('skill-outside-root', site) };
    }
    return { spelled: path, real };
  } catch (error) {
    const errno = errnoOf(error);
    if (isOutOfDescriptors(errno)) throw error;
    if (isLink(files, path) && (errno === 'ENOENT' || errno === 'ELOOP')) {
      return { problem: createDiagnostic('skill-broken-link', site) };
    }
    if (errno === 'ENOENT') return { problem: createDiagnostic('root-missing', site) };
    return { problem: createDiagnostic('root-unreadable', site, { reason: reasonOf(errno) }) };
  }
}

/** Entries of a directory that are looked at for skills beside its `skills`. */
const maxBeside = 500;

/**
 * Finds the skills that stand directly in a directory whose child `skills` is searched instead, as far as its first entries
 * go; says so where it has more.
 */
export async function findSkillsBeside(
  files: FileSystem,
  { real: searched, named }: FoundRoot,
  slices: Slices,
  options: Pick<ReadNamesOptions, 'hidden' | 'signal'> & { readonly source: string },
): Promise<readonly Diagnostic[]> {
  if (named === undefined) return [];
  const { source } = options;
  try {
    const names = await readNames(files, named.real, slices, { ...options, maxEntries: maxBeside });
    const beside = [...names.directories, ...names.links]
      .filter((name) => {
        const file = join(named.real, name, 'SKILL.md');
        // A link to what is searched anyway, or the searched directory itself, is not passed by.
        return files.exists(file) && !isBelow(searched, files.realpath(file));
      })
      .map((name) => {
        return createDiagnostic('skill-beside-skills', { source, location: join(named.spelled, name, 'SKILL.md') });
      });
    if (!names.truncated) return beside;
    const limit = `${maxBeside} entries beside the directory \`skills\``;
    return [createDiagnostic('scan-truncated', { source, location: named.spelled }, { limit }), ...beside];
  } catch (error) {
    if (isSkillError(error) || options.signal?.aborted) throw error;
    if (isOutOfDescriptors(errnoOf(error))) throw error;
    // What cannot be read beside the directory that was meant is not missed there.
    return [];
  }
}

function isDirectory(files: FileSystem, path: string): boolean {
  return orElse(false, () => files.stat(path).isDirectory());
}
