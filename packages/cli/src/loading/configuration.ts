// The options that a project sets for everyone who works in it.

import { join } from 'node:path';
import { SkillError } from '@skillful/core';
import {
  type ClientName,
  clientLayouts,
  expandPath,
  findProject,
  findUserDirectories,
  isClientName,
  readSmallText,
} from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';

/** What a project sets. It cannot make itself trusted. */
export interface Configuration {
  readonly client?: ClientName;
  readonly depth?: number;
  /** Whether the directories above the working directory are searched, too. */
  readonly ancestors?: boolean;
  /** Further directories of skills, absolute. */
  readonly paths: readonly string[];
}

/** The path of the configuration, from the working directory or one above it up to the git root; the nearest is used. */
const configurationFile: string = join('.skillful', 'config.json');

/** A longer configuration is refused, in bytes. */
const maxBytes = 64 * 1024;

/**
 * Loads the configuration for a directory; an empty one if there is none.
 *
 * @throws {SkillError} `options-invalid`
 */
export function loadConfiguration(cwd: string, io: CommandLine): Configuration {
  for (const directory of findProject(cwd).directories) {
    const path = join(directory, configurationFile);
    const read = readSmallText(path, maxBytes);
    if (read === undefined) continue;
    if ('problem' in read) throw invalid(path, read.problem);
    return parseConfiguration(read.text, path, directory, io);
  }
  return { paths: [] };
}

function parseConfiguration(text: string, path: string, directory: string, io: CommandLine): Configuration {
  const { home } = findUserDirectories({ environment: io.environment });
  const { client, depth, ancestors, paths = [], ...others } = parseObject(text, path);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw invalid(path, `\`${unknown}\` is unknown; expected \`client\`, \`depth\`, \`ancestors\`, \`paths\``);
  if (client !== undefined && !(typeof client === 'string' && isClientName(client)))
    throw invalid(path, `\`client\` must be one of ${clients}`);
  if (depth !== undefined && !isDepth(depth)) throw invalid(path, '`depth` must be a whole number of at least 1');
  if (ancestors !== undefined && typeof ancestors !== 'boolean')
    throw invalid(path, '`ancestors` must be `true` or `false`');
  if (!isTexts(paths)) throw invalid(path, '`paths` must be a list of paths');
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
    throw invalid(path, 'it is not JSON');
  }
  throw invalid(path, 'it must be a JSON object');
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
  return new SkillError('options-invalid', `\`${path}\` is not a valid configuration: ${reason}. Fix or remove it.`);
}
