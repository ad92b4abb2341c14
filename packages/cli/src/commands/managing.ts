// The options of the commands that change something, and their answer.

import { type Catalog, qualifiedName, type Skill, SkillError } from '@skillful/core';
import { settingsId } from '@skillful/core/node';
import { type Command, Option } from 'commander';
import type { CommandLine } from '../command-line.ts';
import { findSkill, quoteNames } from '../loading/find.ts';
import type { SkillOptions } from '../loading/options.ts';
import { loadSkills } from '../loading/skills.ts';
import { showPath } from '../paths.ts';
import { writeJson } from '../terminal/output.ts';

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
  return findSkill(catalog, scopedName(name, options), io);
}

/**
 * Finds the skill that is to be switched on or off. Where several plugins have a skill of that name, one has to be named:
 * a decision is remembered, and must not fall on whichever happens to come first.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function findSwitched(name: string, options: ChangeOptions, io: CommandLine): Promise<Skill> {
  const { catalog } = await loadSkills(options, io);
  const wanted = scopedName(name, options);
  const skill = findSkill(catalog, wanted, io);
  const ids = idsOfNamesakes(catalog, skill);
  if (ids.length < 2 || wanted.includes(`${skill.plugin}/`)) return skill;
  throw new SkillError('skill-ambiguous', `\`${name}\` could be ${quoteNames(ids)}. Use one of these names.`);
}

function scopedName(name: string, { scope }: ChangeOptions): string {
  return scope === undefined ? name : `${scope}:${name}`;
}

/** The ids of the skills that plugins have under one name; several versions of a plugin have one. */
function idsOfNamesakes({ skills, shadowed }: Catalog, skill: Skill): readonly string[] {
  if (skill.plugin === undefined) return [];
  const all = [...skills, ...shadowed.map((entry) => entry.skill)];
  const namesakes = all.filter((each) => each.plugin !== undefined && qualifiedName(each) === qualifiedName(skill));
  return [...new Set(namesakes.map(settingsId))];
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
