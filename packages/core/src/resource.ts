// Tier 3: one bundled file, as text where it is text and as typed bytes where it is not.

import type { Skill } from './skill.ts';
import type { SourceOptions } from './source.ts';

/** One bundled file of a skill. */
export interface SkillResource {
  /** Relative POSIX path within the skill. */
  readonly path: string;
  /** By content where it has a signature, else by the ending of the path. */
  readonly mediaType: string;
  readonly data: Uint8Array;
  /** The file as text; absent where it is not UTF-8 or holds a NUL byte. A byte order mark is left out. */
  readonly text?: string;
}

export interface ReadSkillResourceOptions extends SourceOptions {
  /**
   * The file is refused when it is larger: half a file would be worse than none.
   * @default 5 MiB
   */
  readonly maxBytes?: number | undefined;
}

/**
 * Reads one bundled file of a skill, confined to the skill.
 *
 * @throws {SkillError} `resource-outside-skill`, `resource-unknown`, `resource-too-large`, `resource-unreadable`
 */
export async function readSkillResource(
  skill: Skill,
  path: string,
  options: ReadSkillResourceOptions = {},
): Promise<SkillResource> {
  const data = await skill.source.readFile(skill, path, options);
  const text = decodeText(data);
  const mediaType = detectMediaType(path, data, text !== undefined);
  return { path, mediaType, data, ...(text === undefined ? {} : { text }) };
}

function decodeText(data: Uint8Array): string | undefined {
  if (data.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    return undefined;
  }
}

const signatures: readonly (readonly [string, number, readonly number[]])[] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
  ['application/pdf', 0, [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['audio/mpeg', 0, [0x49, 0x44, 0x33]],
  ['audio/wav', 8, [0x57, 0x41, 0x56, 0x45]],
  ['application/zip', 0, [0x50, 0x4b, 0x03, 0x04]],
  ['application/gzip', 0, [0x1f, 0x8b]],
];

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

function detectMediaType(path: string, data: Uint8Array, isText: boolean): string {
  for (const [type, offset, magic] of signatures) {
    if (magic.every((byte, index) => data[offset + index] === byte)) return type;
  }
  if (!isText) return 'application/octet-stream';
  return textTypes.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase()) ?? 'text/plain';
}
