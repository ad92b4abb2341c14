// Finds the directory that a root means.

import { basename, join } from 'node:path';
import { createDiagnostic, type Diagnostic } from '../diagnostic.ts';
import { isBelow } from './contained-file.ts';
import { errnoOf, type FileSystem, isExhaustion, reasonOf } from './file-system.ts';
import type { CandidateDirectory } from './skill-head.ts';

export interface RootOptions {
  readonly source: string;
  readonly skillsChild: boolean;
  /** Real directory that no link may lead out of; without it a link may lead to a skill anywhere. */
  readonly boundary?: string;
}

/** Finds the real root, or the `skills` directory in it that is meant. */
export function resolveRoot(
  files: FileSystem,
  path: string,
  options: RootOptions,
): CandidateDirectory | { readonly problem: Diagnostic } {
  const site = { source: options.source, location: path };
  try {
    const real = files.realpath(path);
    if (!files.stat(real).isDirectory()) {
      return { problem: createDiagnostic('root-unreadable', site, { reason: reasonOf('ENOTDIR') }) };
    }
    if (options.skillsChild && basename(path) !== 'skills' && !files.exists(join(real, 'SKILL.md'))) {
      const child = join(real, 'skills');
      if (isDirectory(files, child) && !files.exists(join(child, 'SKILL.md'))) {
        return { spelled: join(path, 'skills'), real: files.realpath(child) };
      }
    }
    if (options.boundary !== undefined && !isBelow(options.boundary, real)) {
      return { problem: createDiagnostic('skill-outside-root', site) };
    }
    return { spelled: path, real };
  } catch (error) {
    const errno = errnoOf(error);
    if (isExhaustion(errno)) throw error;
    if (isLink(files, path) && (errno === 'ENOENT' || errno === 'ELOOP')) {
      return { problem: createDiagnostic('skill-broken-link', site) };
    }
    if (errno === 'ENOENT') return { problem: createDiagnostic('root-missing', site) };
    return { problem: createDiagnostic('root-unreadable', site, { reason: reasonOf(errno) }) };
  }
}

function isLink(files: FileSystem, path: string): boolean {
  try {
    return files.lstat(path).isSymbolicLink();
  } catch (error) {
    if (isExhaustion(errnoOf(error))) throw error;
    return false;
  }
}

function isDirectory(files: FileSystem, path: string): boolean {
  try {
    return files.stat(path).isDirectory();
  } catch (error) {
    if (isExhaustion(errnoOf(error))) throw error;
    return false;
  }
}
