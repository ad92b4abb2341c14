// The options that a project sets for everybody who works in it.

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isSkillError, SkillError } from '@skillful/core';
import {
  type ClientName,
  clientLayouts,
  expandPath,
  findProject,
  findUserDirectories,
  isClientName,
} from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { reasonOf } from '../system-reason.ts';

/** What a project sets. It has no say in whether it is trusted. */
export interface Configuration {
  readonly client?: ClientName;
  readonly depth?: number;
  /** Whether the directories above the working directory are searched, too. */
  readonly ancestors?: boolean;
  /** Further directories of skills, absolute. */
  readonly paths: readonly string[];
}

/** Where the configuration is, in a directory between the working directory and the git root; the nearest counts. */
const configurationFile: string = join('.skillful', 'config.json');

/** A longer configuration is refused. */
const maxBytes = 64 * 1024;

/**
 * Loads the configuration that holds in a directory; an empty one where there is none.
 *
 * @throws {SkillError} `options-invalid`
 */
export function loadConfiguration(cwd: string, io: CommandLine): Configuration {
  for (const directory of findProject(cwd).directories) {
    const path = join(directory, configurationFile);
    const text = readText(path);
    if (text !== undefined) return parseConfiguration(text, path, directory, io);
  }
  return { paths: [] };
}

function readText(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    // Whoever wrote the project may have put a pipe there, which would never end.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    if (!fstatSync(descriptor).isFile()) throw invalid(path, 'it is no regular file');
    // What a file says of its size need not be so.
    const bytes = new Uint8Array(maxBytes + 1);
    let filled = 0;
    for (let count = -1; count !== 0 && filled < bytes.length; filled += count) {
      count = readSync(descriptor, bytes, filled, bytes.length - filled, null);
    }
    if (filled > maxBytes) throw invalid(path, `it has more than ${maxBytes} bytes`);
    return new TextDecoder().decode(bytes.subarray(0, filled));
  } catch (error) {
    if (isSkillError(error)) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw invalid(path, reasonOf(error));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function parseConfiguration(text: string, path: string, directory: string, io: CommandLine): Configuration {
  const { home } = findUserDirectories({ environment: io.environment });
  const { client, depth, ancestors, paths = [], ...others } = parseObject(text, path);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw invalid(path, `\`${unknown}\` is unknown; expected \`client\`, \`depth\`, \`ancestors\`, \`paths\``);
  if (client !== undefined && !(typeof client === 'string' && isClientName(client)))
    throw invalid(path, `\`client\` names no client; expected ${clients}`);
  if (depth !== undefined && !isDepth(depth)) throw invalid(path, '`depth` is no whole number of at least 1');
  if (ancestors !== undefined && typeof ancestors !== 'boolean')
    throw invalid(path, '`ancestors` is neither `true` nor `false`');
  if (!isTexts(paths)) throw invalid(path, '`paths` is no list of paths');
  return {
    ...(client === undefined ? {} : { client }),
    ...(depth === undefined ? {} : { depth }),
    ...(ancestors === undefined ? {} : { ancestors }),
    paths: paths.map((given) => expandPath(given, directory, home)),
  };
}

function parseObject(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    throw invalid(path, 'it is not valid JSON');
  }
  throw invalid(path, 'it is no JSON object');
}

const clients = [...Object.keys(clientLayouts), 'all'].map((name) => `\`${name}\``).join(', ');

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDepth(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function invalid(path: string, reason: string): SkillError {
  return new SkillError('options-invalid', `\`${path}\` is no configuration: ${reason}. Correct or remove it.`);
}
