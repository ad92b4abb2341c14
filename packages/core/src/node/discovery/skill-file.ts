// Opens the `SKILL.md` of a directory, or explains why it cannot be read.

import type { Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createDiagnostic, type Diagnostic, type DiagnosticSite } from '../../diagnostics/diagnostic.ts';
import { isSkillError, SkillError } from '../../skill/error.ts';
import { type ContainedFile, containment, openContained, openVerified } from '../disk/contained-file.ts';
import { answerOf, describeErrno, entriesIn, errnoOf, type FileSystem, orElse } from '../disk/file-system.ts';
import { isListed, skillFileSuffix } from './skill-stamp.ts';

/** An open `SKILL.md`, and the real path of the directory that contains it and the other files of the skill. */
interface SkillFile {
  readonly file: ContainedFile;
  readonly home: string;
}

/**
 * Opens the file named exactly `SKILL.md`; `undefined` if there is none, or only one in a different letter case. A link is allowed
 * if it stays in the skill. If it leads into a volume of Kubernetes, the volume is the home of the skill.
 */
export function openSkillFile(files: FileSystem, directory: string, followLinks: boolean): SkillFile | undefined {
  const own = openUnlessLink(files, directory);
  if (own === undefined) return undefined;
  if (own !== 'link') return { file: own, home: directory };
  if (!followLinks)
    throw new SkillError('resource-unreadable', '`SKILL.md` is a link, which this source does not follow.');
  const volume = findVolume(files, directory);
  if (volume === undefined || !isWhole(files, directory))
    return { file: openContained(files, directory, ['SKILL.md']), home: directory };
  // Missing if the volume was replaced at this moment.
  return openSkillFile(files, volume, false) ?? openSkillFile(files, directory, true);
}

/** Opens a `SKILL.md` that is not a link; `undefined` if there is none. */
function openUnlessLink(files: FileSystem, directory: string): ContainedFile | 'link' | undefined {
  if (containment() !== 'kernel') return checkAndOpen(files, directory);
  try {
    // Opened at once, because the kernel then says which file it is.
    return openVerified(files, directory, directory + skillFileSuffix, 'SKILL.md');
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return undefined;
    if (errno === 'ELOOP') return 'link';
    throw error;
  }
}

function checkAndOpen(files: FileSystem, directory: string): ContainedFile | 'link' | undefined {
  const status = files.lstatIfThere(directory + skillFileSuffix);
  if (status === undefined || !isSkillFile(files, directory, status)) return undefined;
  return status.isSymbolicLink() ? 'link' : openContained(files, directory, ['SKILL.md']);
}

/**
 * Finds the directory to which the files of a mounted volume are links, such as `..2026_11_28_10_00_00.1`. Kubernetes replaces it
 * with another one if the volume changes.
 */
export function findVolume(files: FileSystem, directory: string): string | undefined {
  const target = orElse('', () => files.realpath(directory + skillFileSuffix));
  const volume = dirname(target);
  const isOne = dirname(volume) === directory && basename(volume).startsWith('..');
  return isOne && target === volume + skillFileSuffix ? volume : undefined;
}

/** Checks whether the directory of a volume contains only the volume, and not, for example, another volume mounted inside. */
function isWhole(files: FileSystem, directory: string): boolean {
  return orElse(false, () =>
    [...entriesIn(files.openDirectory(directory))].every(
      (entry) => entry.isSymbolicLink() || entry.name.startsWith('..'),
    ),
  );
}

/** Checks whether what was found as `SKILL.md` has exactly this name, because some disks also find `skill.md` by it. */
export function isSkillFile(files: FileSystem, directory: string, status: Stats): boolean {
  return orElse(true, () => {
    if (!status.isSymbolicLink()) return basename(files.realpath(directory + skillFileSuffix)) === 'SKILL.md';
    // The real path of a link has the name of its target.
    return isListed(files, directory, 'SKILL.md');
  });
}

/** Explains why an existing `SKILL.md` was not read. Rethrows "too many open files", because that says nothing about the file. */
export function explainUnread(files: FileSystem, error: unknown, directory: string, site: DiagnosticSite): Diagnostic {
  const path = directory + skillFileSuffix;
  if (isSkillError(error)) {
    // If the directory was renamed meanwhile, what was opened is outside of it, too.
    const isOutside = error.code === 'resource-outside-skill' && files.exists(directory);
    if (isOutside) return createDiagnostic('skill-outside-root', site);
    return explainKind(files, path, site);
  }
  const errno = answerOf(error);
  if (errno === 'ENOENT' || errno === 'ELOOP') return createDiagnostic('skill-broken-link', site);
  if (errno === 'ENXIO') return explainKind(files, path, site);
  return createDiagnostic('skill-file-unreadable', site, { reason: describeErrno(errno) });
}

function explainKind(files: FileSystem, path: string, site: DiagnosticSite): Diagnostic {
  const status = orElse(undefined, () => files.lstatIfThere(path));
  if (status !== undefined && !status.isFile()) {
    return createDiagnostic('skill-file-special', site, { kind: describeKind(status) });
  }
  return createDiagnostic('skill-file-unreadable', site, { reason: 'it was changed or removed meanwhile' });
}

function describeKind(status: Stats): string {
  if (status.isDirectory()) return 'a directory';
  if (status.isFIFO()) return 'a pipe';
  if (status.isSocket()) return 'a socket';
  if (status.isSymbolicLink()) return 'a link';
  return 'a device';
}
