// Shared by the commands that change something: their options, the skill that they select, and their output.

import { basename } from 'node:path';
import {
  type Catalog,
  qualifiedName,
  resolveSkill,
  type Skill,
  type SkillError,
  type SkillSource,
} from '@skillful/core';
import { ownSkillsDirectory, settingsId } from '@skillful/core/node';
import { type Command, Option } from 'commander';
import type { CommandLine } from '../command-line.ts';
import { ambiguous, findSkill, isCalled } from '../loading/find.ts';
import { addSkillOptions, type JsonOptions } from '../loading/options.ts';
import { findOwnProject, type OwnProject, trustOwnProject } from '../loading/own-project.ts';
import { rewordError } from '../loading/reword-error.ts';
import { loadSkills } from '../loading/skills.ts';
import { workingDirectory } from '../loading/sources.ts';
import { showPath, writeJson } from '../terminal/output.ts';
import { terminalLine } from '../terminal/text.ts';

/** The scopes that a user can manage. */
export type ManagedScope = 'user' | 'project';

/** Options of a command that creates something. */
export interface PlaceOptions {
  readonly scope: ManagedScope;
  readonly cwd?: string;
  readonly json?: boolean;
}

/** Options of a command that changes a skill. */
export interface ChangeOptions extends JsonOptions {
  readonly scope?: ManagedScope;
}

/** Where to create something. */
export interface Place {
  readonly cwd: string;
  readonly directory: string;
  /** The project that no write may leave; `undefined` for the user's directory, in which links belong to the user. */
  readonly project: OwnProject | undefined;
}

/** Finds where to create something. */
export async function findPlace(options: PlaceOptions, io: CommandLine): Promise<Place> {
  const cwd = workingDirectory(options, io);
  const directory = ownSkillsDirectory(options.scope, { cwd, environment: io.environment });
  return { cwd, directory, project: options.scope === 'project' ? await findOwnProject(cwd, io) : undefined };
}

/**
 * Trusts the project in which something was created, and reports where that is. If the project contains something from others,
 * explains that it is not trusted.
 */
export async function finish(
  words: string,
  location: string,
  { project }: Place,
  options: PlaceOptions,
  io: CommandLine,
): Promise<void> {
  const failed = ({ message }: SkillError): string =>
    `\`${location}\` is there, but the project could not be trusted: ${message}`;
  const trusted = project === undefined || (await rewordError(trustOwnProject(project, io), failed));
  // After everything that can fail, because a failure writes a JSON document of its own.
  writeDone(words, location, options, io);
  if (trusted) return;
  io.stderr.write(
    'The project also contains skills, instruction files or links that may be from others, so it is not trusted yet. Run `skillful trust` to use them.\n',
  );
}

/** Adds the options that select where to create something. */
export function addPlaceOptions(command: Command): Command {
  return command
    .addOption(scopeOption('where to create it').default('user'))
    .option('--cwd <dir>', 'run as if started in this directory')
    .option('--json', 'print JSON');
}

/** Adds the options that select the skill to change. */
export function addChangeOptions(command: Command): Command {
  return addSkillOptions(command).addOption(scopeOption('only look in this scope')).option('--json', 'print JSON');
}

function scopeOption(description: string): Option {
  return new Option('--scope <scope>', description).choices(['user', 'project'] satisfies ManagedScope[]);
}

/**
 * Finds the skill to change.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function findChanged(
  name: string,
  options: ChangeOptions,
  io: CommandLine,
): Promise<{ readonly skill: Skill; readonly catalog: Catalog; readonly sources: readonly SkillSource[] }> {
  const { catalog, sources } = await loadSkills(options, io);
  return { skill: findSkill(catalog, scopedName(name, options), io, { parts: false }), catalog, sources };
}

/**
 * Finds the folder of a skill. If no skill has the name, finds the only folder of that name that cannot be loaded.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function findFolder(
  name: string,
  options: ChangeOptions,
  io: CommandLine,
): Promise<Pick<Skill, 'directory' | 'location'>> {
  const { catalog } = await loadSkills(options, io);
  const asked = scopedName(name, options);
  const [broken, ...others] = catalog.rejected.filter(({ name: own, directory, source: { scope } }) =>
    [own, basename(directory)].some((each) => isCalled(each, asked) || isCalled(`${scope}:${each}`, asked)),
  );
  const isLoaded = resolveSkill(catalog, asked, { parts: false }).kind !== 'unknown';
  if (!isLoaded && broken !== undefined && others.length === 0) return broken;
  return findSkill(catalog, asked, io, { parts: false });
}

/**
 * Finds the skill to switch on or off. If several plugins have a skill of that name, the user must name the plugin, because a
 * stored decision must not depend on the order of plugins.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export async function findSwitched(name: string, options: ChangeOptions, io: CommandLine): Promise<Skill> {
  const { skill, catalog } = await findChanged(name, options, io);
  const ids = idsInPlugins(catalog, skill);
  // `lint/deploy`, or `lint:deploy` as in Claude Code.
  const isWithPlugin = /[/:]/.test(name) && !isCalled(qualifiedName(skill), name);
  if (ids.length < 2 || isWithPlugin) return skill;
  throw ambiguous(name, ids);
}

function scopedName(name: string, { scope }: ChangeOptions): string {
  return scope === undefined || name.startsWith(`${scope}:`) ? name : `${scope}:${name}`;
}

/** Returns the ids of all plugin skills with the same name. Versions of the same plugin share an id. */
function idsInPlugins({ skills, shadowed }: Catalog, skill: Skill): readonly string[] {
  if (skill.plugin === undefined) return [];
  const all = [...skills, ...shadowed.map((entry) => entry.skill)];
  const sameName = all.filter((each) => each.plugin !== undefined && qualifiedName(each) === qualifiedName(skill));
  return [...new Set(sameName.map(settingsId))];
}

/** Reports what was done and where. */
export function writeDone(
  words: string,
  location: string,
  { json }: { readonly json?: boolean },
  io: CommandLine,
): void {
  if (json === true) writeJson({ ok: true, location }, io);
  else io.stdout.write(`${terminalLine(words)}: ${showPath(location, io.cwd)}\n`);
}
