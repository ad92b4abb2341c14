// Compares the names of skills, and returns those that tell a skill apart from others of the same name.

import { findGivenProblem } from '../format/properties/name.ts';
import type { Skill } from '../skill/skill.ts';
import { lookKey } from '../text/look-alikes.ts';

/** Returns the key of a name. Names that look the same have the same key. */
export function nameKey(name: string): string {
  return lookKey(name);
}

/** Returns the keys of all names by which the application may name a skill in a pattern. */
export function nameKeys(skill: Skill): readonly string[] {
  return [skill.name, qualifiedName(skill), ...pluginNames(skill)].map(nameKey);
}

/** Returns the name that distinguishes a skill from others of the same name: `project:pdf`. */
export function qualifiedName(skill: Skill): string {
  return `${skill.source.scope}:${skill.name}`;
}

/**
 * Returns the names that include the plugin, `lint/pdf` and `plugin:lint/pdf`; none if the skill is not from a plugin. A plugin
 * that is named like a scope, `user:x`, has only the second, so that no rule or decision about that scope applies to it.
 */
export function pluginNames({ plugin, name, source }: Skill): readonly string[] {
  if (plugin === undefined) return [];
  const qualified = `${source.scope}:${plugin}/${name}`;
  return findGivenProblem(plugin) === undefined ? [`${plugin}/${name}`, qualified] : [qualified];
}

/** Returns the qualified name, including the plugin if there is one, because two plugins may have skills of the same name. */
export function distinctName(skill: Skill): string {
  return pluginNames(skill).at(-1) ?? qualifiedName(skill);
}
