// Paths as text: the names of directories, and the rules for bundled files, which are the same on every platform.

import { showText } from '../diagnostics/diagnostic.ts';
import { isSkillError, reasonOf, SkillError, showCode } from './error.ts';

/** Returns the part of a path after its last separator. A backslash is one too, unless the path begins with a slash. */
export function lastSegment(path: string): string {
  const slash = path.lastIndexOf('/');
  return path.slice((path.startsWith('/') ? slash : Math.max(slash, path.lastIndexOf('\\'))) + 1);
}

/** Returns the name of a skill's directory, or the one that its source gives instead. */
export function directoryNameOf(entry: { readonly directory: string; readonly directoryName?: string }): string {
  return entry.directoryName ?? lastSegment(entry.directory);
}

/** Recognises files that the file managers of macOS and Windows create, and change when a person only looks at a directory. */
export function isOfFileManager(name: string): boolean {
  return /^(?:\.DS_Store|\.localized|\._.*|Icon\r|Thumbs\.db|desktop\.ini)$/i.test(name);
}

/** Longest path of a bundled file, in UTF-16 units. */
const maxPathLength = 1024;

/** Longest segment of such a path, in bytes of UTF-8: what common file systems can store. */
const maxSegmentBytes = 255;

/** Longest path from a listing, in UTF-16 units: the longest that an operating system can open. */
const maxListedLength = 4096;

/** Names that Windows reserves for devices in every directory, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

/** C0 and C1 controls and lone surrogates, which a portable file name cannot contain. */
const unprintable = /[\u0000-\u001f\u007f-\u009f\ud800-\udfff]/u;

/** An absolute directory on a drive or share of Windows. */
const onWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** What no file system can store in a name: NUL and lone surrogates. */
const impossible = /[\0\ud800-\udfff]/u;

const encoder = new TextEncoder();

/**
 * Splits the path of a bundled file into its segments, without `.` segments.
 *
 * Looks at the text only: `..`, absolute paths, drives, backslashes, colons, control characters, names of Windows devices,
 * trailing dots or spaces and overlong paths are refused on every platform; nothing is decoded or expanded.
 *
 * @throws {SkillError} `resource-outside-skill`
 */
export function checkResourcePath(path: string): readonly string[] {
  if (typeof path !== 'string') throw refuse('The path of a resource', 'is not a string');
  if (path.length > maxPathLength) throw refuse('The path of a resource', `is longer than ${maxPathLength} characters`);
  if (unprintable.test(path))
    throw refuse('The path of a resource', 'contains a control character or half a character');
  const shown = `\`${showText(path)}\``;
  if (path.includes('\\')) throw refuse(shown, 'contains a backslash');
  if (path.includes(':')) throw refuse(shown, 'contains a colon');
  if (path.startsWith('/')) throw refuse(shown, 'is absolute');
  const segments = path.split('/').filter((segment) => segment !== '.');
  if (segments.length === 0) throw refuse(shown, 'names no file');
  for (const segment of segments) {
    const problem = findProblem(segment);
    if (problem !== undefined) throw refuse(shown, problem);
  }
  return segments;
}

/** Splits a link to a section of a Markdown file, such as `guide.md#set-up`. Any other path has no section. */
export function splitLink(link: string): { readonly path: string; readonly section: string | undefined } {
  const sign = link.lastIndexOf('#');
  const path = link.slice(0, Math.max(0, sign));
  const isLink = /\.(?:md|markdown)$/i.test(path);
  return isLink ? { path, section: decodeLink(link.slice(sign + 1)) || undefined } : { path: link, section: undefined };
}

/** Decodes what editors and browsers write for spaces and other letters in a link, such as `%20`. */
export function decodeLink(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

/**
 * Returns a directory with `/` as its separator. Programs on Windows take it, too, but the shell that most agents have there takes
 * a backslash for an escape.
 */
export function withSlashes(directory: string): string {
  return onWindows.test(directory) ? directory.replaceAll('\\', '/') : directory;
}

/**
 * Checks the path of a bundled file in a model's call, and returns it relative to the skill.
 *
 * It may begin with the skill's directory on the disk, because the text of an activation names that directory; on Windows in any
 * letter case and with any separator. It may be a link to a section, or end in a slash.
 *
 * @throws {SkillError} `resource-outside-skill`
 */
export function checkCalledPath(link: string, { directory }: { readonly directory: string }): string {
  const { path } = splitLink(link.replace(/(?<=.)\/$/, ''));
  return checkResourcePath(restBelow(directory, path) ?? path).join('/');
}

/** Returns the rest of a path below a directory; `undefined` for any other path, and if the directory is only a name in a store. */
function restBelow(directory: string, path: string): string | undefined {
  const isOfWindows = onWindows.test(directory);
  if (!isOfWindows && !directory.startsWith('/')) return undefined;
  const split = (text: string): readonly string[] => (isOfWindows ? text.replaceAll('\\', '/') : text).split('/');
  // A model may compose the accents of a directory that the disk keeps decomposed.
  const fold = (text: string): string => (isOfWindows ? text.toLowerCase() : text).normalize();
  const above = split(directory);
  const segments = split(path);
  const isBelow = segments.length > above.length && above.every((name, at) => fold(name) === fold(segments[at] ?? ''));
  return isBelow ? segments.slice(above.length).join('/') : undefined;
}

/**
 * Splits a path from a listing into its segments, whatever characters its names have.
 *
 * `..`, `.`, absolute and empty paths, NUL and half characters are still refused.
 *
 * @throws {SkillError} `resource-outside-skill`
 */
export function checkListedPath(path: string): readonly string[] {
  if (typeof path !== 'string') throw refuse('The path of a resource', 'is not a string');
  if (path.length > maxListedLength) {
    throw refuse('The path of a resource', `is longer than ${maxListedLength} characters`);
  }
  if (impossible.test(path)) throw refuse('The path of a resource', 'contains a NUL or half a character');
  if (path.startsWith('/')) throw refuse(`\`${showText(path)}\``, 'is absolute');
  const segments = path.split('/');
  for (const segment of segments) {
    if (segment === '' || segment === '.') throw refuse(`\`${showText(path)}\``, 'has a segment that names nothing');
    if (segment === '..') throw refuse(`\`${showText(path)}\``, 'leaves the skill with `..`');
  }
  return segments;
}

/**
 * Returns the directories as paths contain them.
 *
 * @throws {SkillError} `options-invalid` if one is not below a skill
 */
export function checkDirectories(directories: readonly string[]): readonly string[] {
  return directories.map((directory) => {
    try {
      return checkResourcePath(directory.replace(/\/$/, '')).join('/');
    } catch (cause) {
      const message = `A directory for resources is invalid: ${reasonOf(cause)}`;
      throw new SkillError('options-invalid', message, { cause });
    }
  });
}

/** Checks whether the text of a path is below one of the directories. */
export function isBelowAny(path: string, directories: readonly string[]): boolean {
  return checkDirectories(directories).some((directory) => isBelow(path, directory));
}

/** Returns the directories, with accents as in the path if it is below one of them, because a disk has them in only one form. */
export function spellDirectories(directories: readonly string[], path: string): readonly string[] {
  const segments = path.split('/');
  return checkDirectories(directories).map((directory) =>
    isBelow(path, directory) ? segments.slice(0, directory.split('/').length).join('/') : directory,
  );
}

function isBelow(path: string, directory: string): boolean {
  return path.normalize().startsWith(`${directory.normalize()}/`);
}

/** Checks whether a path passes a check, such as `checkResourcePath` or `checkListedPath`. */
export function isPathFor(check: (path: string) => unknown, path: string): boolean {
  try {
    check(path);
    return true;
  } catch (error) {
    if (isSkillError(error)) return false;
    throw error;
  }
}

/**
 * Returns the path in a listing that looks the same. Archives made on macOS contain decomposed names, and file names may contain
 * other spaces, such as those of its screenshots, but people and models write composed names and common spaces.
 */
export function findListed(path: string, listed: readonly string[]): string | undefined {
  if (listed.includes(path)) return path;
  const wanted = foldPath(path);
  return listed.find((each) => foldPath(each) === wanted);
}

/** Returns a path with composed characters and common spaces. */
export function foldPath(path: string): string {
  return withCommonSpaces(path).normalize();
}

/** Returns a text with a common space in place of each other one, such as the wide one of Chinese and Japanese. */
export function withCommonSpaces(text: string): string {
  return text.replace(/\p{Zs}/gu, ' ');
}

/** Creates the error for a file that a skill does not have. */
export function unknownFile(path: string): SkillError {
  return new SkillError('resource-unknown', `There is no file \`${showText(path)}\` in the skill.`);
}

/** Creates the error for a file that is larger than the caller allows. */
export function tooLargeFile(path: string, bytes: number, limit: number): SkillError {
  return new SkillError('resource-too-large', `\`${showText(path)}\` has ${bytes} bytes; the limit is ${limit}.`);
}

/** Creates the error for a file that could not be read. */
export function unreadableFile(path: string, cause: unknown): SkillError {
  return new SkillError('resource-unreadable', `\`${showText(path)}\` could not be read${showCode(cause)}.`, { cause });
}

function findProblem(segment: string): string | undefined {
  if (segment === '') return 'has an empty segment';
  if (segment === '..') return 'leaves the skill with `..`';
  if (/[. ]$/.test(segment)) return 'has a segment that ends in a dot or a space';
  if (deviceName.test(segment)) return 'names a device of Windows';
  if (encoder.encode(segment).length > maxSegmentBytes) return `has a segment of more than ${maxSegmentBytes} bytes`;
  return undefined;
}

function refuse(subject: string, problem: string): SkillError {
  return new SkillError(
    'resource-outside-skill',
    `${subject} ${problem}. Expected a relative path below the skill directory, such as \`references/guide.md\`.`,
  );
}
