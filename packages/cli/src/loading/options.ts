// Defines the options that select the skills of a command, the same for every command.

import { type ClientName, clientLayouts } from '@skillful/core/node';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** The options that select the skills of a command. */
export interface SkillOptions {
  /** Directories that replace the default ones. */
  readonly root: readonly string[];
  /** The client whose directories are searched. @default `skillful` */
  readonly client?: ClientName | undefined;
  readonly depth?: number | undefined;
  readonly cwd?: string | undefined;
  readonly trust?: boolean | undefined;
  /** Also the skills of installed npm packages. */
  readonly packages?: boolean | undefined;
}

/** The options of a command that can also print JSON. */
export interface JsonOptions extends SkillOptions {
  readonly json?: boolean;
}

/** Adds the options to a command. */
export function addSkillOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--root <dir>', 'search only this directory (repeatable)')
        .argParser((value: string, values: readonly string[]) => [...values, value])
        .default([], "the client's directories"),
    )
    .addOption(
      new Option('--client <name>', "search this client's directories")
        .choices([...Object.keys(clientLayouts), 'all'])
        .conflicts('root'),
    )
    .option('--depth <levels>', 'levels to search below a root; 1 is <root>/<name>/SKILL.md', parsePositive)
    .option('--cwd <dir>', 'run as if started in this directory')
    .option('--trust', 'use the skills of an untrusted project')
    .option('--packages', 'also use the skills of installed npm packages');
}

/** Parses a whole number of at least 1. */
export function parsePositive(value: string): number {
  const number = Number(value);
  if (!/^\d+$/u.test(value) || number < 1 || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('Expected a whole number of at least 1.');
  }
  return number;
}
