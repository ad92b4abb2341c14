// The options that say which skills a command is about, the same for every command.

import { type ClientName, clientLayouts } from '@skillful/core/node';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** Which skills a command is about. */
export interface SkillOptions {
  /** Directories that replace the default ones. */
  readonly root: readonly string[];
  /** The client whose directories are searched; the own client where it is not said. */
  readonly client?: ClientName | undefined;
  readonly depth?: number | undefined;
  readonly cwd?: string | undefined;
  readonly trust?: boolean | undefined;
}

/** Adds the options to a command. */
export function addSkillOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--root <dir>', 'look for skills here and nowhere else (repeatable)')
        .argParser(collect)
        .default([], 'the directories of the client'),
    )
    .addOption(
      new Option('--client <name>', 'the client whose directories are searched').choices([
        ...Object.keys(clientLayouts),
        'all',
      ]),
    )
    .option('--depth <levels>', 'directories from a root down to a skill; 1 is <root>/<name>/SKILL.md', parsePositive)
    .option('--cwd <dir>', 'work as if started in this directory')
    .option('--trust', 'use the skills of a project that is not trusted');
}

function collect(value: string, values: readonly string[]): readonly string[] {
  return [...values, value];
}

/** Reads a whole number of at least 1. */
export function parsePositive(value: string): number {
  const number = Number(value);
  if (!/^\d+$/u.test(value) || number < 1 || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('Give a whole number of at least 1.');
  }
  return number;
}
