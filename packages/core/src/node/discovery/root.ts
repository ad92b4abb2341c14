// Finds the directory to search for a root.

import { basename, join } from 'node:path';
import { createDiagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { kindOf } from '../../runtime/record.ts';
import type { Turn } from '../../runtime/turns.ts';
import { invalidOption } from '../../skill/options.ts';
import { isBelow } from '../disk/contained-file.ts';
import { answerOf, describeErrno, type FileSystem, orElse } from '../disk/file-system.ts';
import { type ReadNamesOptions, readNames } from './directory-names.ts';
import { explainUnsearched, type ReachOptions } from './reach.ts';
import type { CandidateDirectory } from './skill-stamp.ts';

export interface RootOptions extends ReachOptions {
  readonly source: string;
  readonly skillsChild: boolean;
}

/** A directory to search for skills. */
export interface FoundRoot extends CandidateDirectory {
  /** The root itself, if its child `skills` is searched instead. */
  readonly given?: CandidateDirectory;
}

/** Checks the path of a source, or of something else. @throws {SkillError} `options-invalid` */
export function checkRootPath(path: unknown, what = 'a source'): void {
  const subject = `The path of ${what} is`;
  if (typeof path !== 'string')
    throw invalidOption(`${subject} ${kindOf(path)}, expected text. For a URL, pass \`fileURLToPath(url)\`.`);
  if (/^file:\//i.test(path))
    throw invalidOption(`${subject} the URL \`${path}\`, expected a path. Pass \`fileURLToPath(url)\`.`);
  if (path === '') throw invalidOption(`${subject} empty. For the working directory, pass \`.\`.`);
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
    return { problem: explainUnsearched(files, error, path, options) ?? createDiagnostic('root-missing', site) };
  }
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
    if (options.signal?.aborted) throw error;
    answerOf(error);
    // An unreadable parent does not matter, because only its child is searched.
    return [];
  }
}
