// Writes the name of a skill for its wrapper, and finds the skill by that name again.

import type { Catalog } from '../catalog/catalog.ts';
import { distinctName } from '../catalog/names.ts';
import { getOrCreate } from '../runtime/get-or-create.ts';
import type { Skill } from '../skill/skill.ts';
import { escapeField } from '../text/neutral.ts';

/** Returns the name for the wrapper of a skill's text, by which `findActive` finds the skill again. */
export function nameInWrapper(catalog: Catalog, skill: Skill): string {
  const shadowed = catalog.shadowed.some((entry) => entry.skill === skill);
  return escapeField(shadowed ? distinctName(skill) : skill.name);
}

/** The skills of each catalog by their names in wrappers, because a conversation may name thousands. */
const wrapped = new WeakMap<Catalog, ReadonlyMap<string, Skill>>();

/** Finds the skill that a wrapper names; `undefined` if it left the catalog. */
export function findActive(catalog: Catalog, name: string): Skill | undefined {
  return getOrCreate(wrapped, catalog, gatherWrapped).get(name);
}

/** Checks whether an active skill is denied now: the catalog of `all` skills has it, and that of the allowed ones does not. */
export function isDenied(name: string, allowed: Catalog, all: Catalog): boolean {
  return findActive(allowed, name) === undefined && findActive(all, name) !== undefined;
}

/** Maps names in wrappers to skills. An exact name takes precedence over one that looks the same only when escaped. */
function gatherWrapped({ skills, shadowed }: Catalog): ReadonlyMap<string, Skill> {
  const named = skills.map((skill): [string, Skill] => [escapeField(skill.name), skill]);
  const qualified = shadowed.map(({ skill }): [string, Skill] => [escapeField(distinctName(skill)), skill]);
  const plain = named.filter(([name, skill]) => name === skill.name);
  return new Map([...qualified.reverse(), ...named.reverse(), ...plain]);
}
