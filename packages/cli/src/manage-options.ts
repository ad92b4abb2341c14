// The options of the commands that change something, and their answer.

import type { Skill } from '@skillful/core';
import { type Command, Option } from 'commander';
import type { CommandLine } from './command-line.ts';
import { findSkill } from './find-skill.ts';
import { writeJson } from './json.ts';
import { loadSkills } from './load-skills.ts';
import { showPath } from './paths.ts';
import type { SkillOptions } from './skill-options.ts';

/** The scopes that a user manages. */
export type ManagedScope = 'user' | 'project';

/** Options of a command that makes something new. */
export interface PlaceOptions {
  readonly scope: ManagedScope;
  readonly cwd?: string;
  readonly json?: boolean;
}

/** Options of a command that changes a skill. */
export interface ChangeOptions extends SkillOptions {
  readonly scope?: ManagedScope;
  readonly json?: boolean;
}

/** Adds the options that say where something new goes. */
export function addPlaceOptions(command: Command): Command {
  return command
    .addOption(scopeOption('whose it is').default('user'))
    .option('--cwd <dir>', 'work as if started in this directory')
    .option('--json', 'print JSON');
}

/** Adds the options that say which skill is changed. */
export function addChangeOptions(command: Command): Command {
  return command.addOption(scopeOption('only a skill of this scope')).option('--json', 'print JSON');
}

function scopeOption(description: string): Option {
  return new Option('--scope <scope>', description).choices(['user', 'project'] satisfies ManagedScope[]);
}

/**
 * Finds the skill that is to be changed.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function findChanged(name: string, options: ChangeOptions, io: CommandLine): Promise<Skill> {
  const { catalog } = await loadSkills(options, io);
  return findSkill(catalog, options.scope === undefined ? name : `${options.scope}:${name}`, io);
}

/** Says that it was done, and where. */
export function writeDone(
  words: string,
  location: string,
  { json }: { readonly json?: boolean },
  io: CommandLine,
): void {
  if (json === true) writeJson({ ok: true, location }, io);
  else io.stdout.write(`${words}: ${showPath(location, io.cwd)}\n`);
}
