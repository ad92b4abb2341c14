// Reads tier 3: one bundled file, as text or as typed bytes.

import { SkillError } from '../skill/error.ts';
import { readFile } from '../skill/files.ts';
import { checkKeys } from '../skill/options.ts';
import { checkDirectories, checkListedPath, checkResourcePath, isBelowAny } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { ReadFileOptions } from '../skill/source.ts';
import { quoted } from './answers.ts';

/** One bundled file of a skill. */
export interface SkillResource {
  /** Relative POSIX path within the skill. */
  readonly path: string;
  /** Taken from the content if it has a signature, and from the extension otherwise. */
  readonly mediaType: string;
  readonly data: Uint8Array;
  /**
   * The file as text, without a byte order mark; absent if it is a PDF, contains a NUL, or is neither UTF-8 nor UTF-16 with a byte
   * order mark. A `SKILL.md` is always text.
   */
  readonly text?: string;
}

/** How to read a file. A file is always read whole, because half a file would be worse than none. */
export type ReadSkillResourceOptions = Omit<ReadFileOptions, 'length'>;

/**
 * Reads one bundled file of a skill, confined to the skill.
 *
 * @throws {SkillError} `resource-outside-skill`, `resource-unknown`, `resource-too-large`, `resource-unreadable`;
 * `options-invalid` if an option is unknown, or an argument is a promise
 */
export async function readSkillResource(
  skill: Skill,
  path: string,
  options: ReadSkillResourceOptions = {},
): Promise<SkillResource> {
  checkKeys('options', options, ['signal', 'checkPath', 'maxBytes', 'fromListing', 'directories']);
  const { directories, fromListing = false, checkPath } = options;
  const checked = (fromListing ? checkListedPath : checkResourcePath)(path).join('/');
  checkPath?.(checked);
  if (directories !== undefined) checkDirectory(checked, directories);
  const data = await readFile(skill, path, options);
  const signature = detectSignature(data);
  // A PDF may be pure ASCII, but is never text. Any other text that begins like an image or a sound is text.
  const text = signature === 'application/pdf' ? undefined : decodeText(data, checked === 'SKILL.md');
  if (text === undefined) return { path, mediaType: signature ?? 'application/octet-stream', data };
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return { path, mediaType: textTypes.get(extension) ?? 'text/plain', data, text };
}

/** Checks that the text of a path is below one of the directories. The source checks where links lead. */
export function checkDirectory(path: string, directories: readonly string[]): void {
  if (isBelowAny(path, directories)) return;
  const names = checkDirectories(directories)
    .map((directory) => `\`${directory}/\``)
    .join(', ');
  throw new SkillError('resource-outside-skill', `Only files below ${names} can be read, not ${quoted(path)}.`);
}

/** Decodes a file; undefined if it is not text. A `SKILL.md` always is, because its instructions may go on here. */
function decodeText(data: Uint8Array, isSkillFile: boolean): string | undefined {
  try {
    const text = new TextDecoder(encodingOf(data), { fatal: !isSkillFile }).decode(data);
    return text.includes('\0') && !isSkillFile ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns the encoding that the byte order mark names. Windows PowerShell and Excel write UTF-16. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** The bytes that identify some media types, with their offsets. */
const signatures: readonly (readonly [string, ...(readonly [number, string])[]])[] = [
  ['application/pdf', [0, '%PDF-']],
  ['image/png', [0, '\x89PNG']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF8']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['application/zip', [0, 'PK\x03\x04']],
  ['application/gzip', [0, '\x1f\x8b']],
];

function detectSignature(data: Uint8Array): string | undefined {
  const matches = ([offset, bytes]: readonly [number, string]): boolean =>
    [...bytes].every((byte, index) => data[offset + index] === byte.charCodeAt(0));
  return signatures.find(([, ...parts]) => parts.every(matches))?.[0];
}

const textTypes: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['html', 'text/html'],
  ['css', 'text/css'],
  ['csv', 'text/csv'],
  ['json', 'application/json'],
  ['svg', 'image/svg+xml'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['js', 'text/javascript'],
  ['mjs', 'text/javascript'],
]);
