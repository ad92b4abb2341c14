// Finds the skill that a name means: one resolver for tools, mentions and the command line.

import { type Catalog, nameKey } from './catalog.ts';
import { closestNames } from './closest.ts';
import type { Skill } from './skill.ts';

/** What a name led to: one skill; several that it could mean; or nothing, with the names that are close to it. */
export type SkillResolution =
  | { readonly kind: 'found'; readonly skill: Skill }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly Skill[] }
  | { readonly kind: 'unknown'; readonly suggestions: readonly string[] };

/** The name that tells a skill from its namesakes elsewhere: `project:pdf`. */
export function qualifiedName(skill: Skill): string {
  return `${skill.source.scope}:${skill.name}`;
}

/**
 * Finds a skill by its name, qualified name, name in another case, directory or a part of a name that only it has.
 *
 * The first of these that fits anything decides, so an exact name never becomes ambiguous. A qualified name reaches
 * shadowed skills, too.
 */
export function resolveSkill(catalog: Catalog, name: string): SkillResolution {
  const wanted = name.trim();
  const key = nameKey(wanted);
  const { skills } = catalog;
  const everySkill = [...skills, ...catalog.shadowed.map(({ skill }) => skill)];
  const qualified = everySkill.find((skill) => nameKey(qualifiedName(skill)) === key);
  const exact = skills.find((skill) => skill.name === wanted) ?? qualified;
  if (exact !== undefined) return { kind: 'found', skill: exact };
  const steps: readonly ((skill: Skill) => boolean)[] = [
    (skill) => nameKey(skill.name) === key,
    (skill) => lastSegment(skill.directory) === wanted,
    (skill) => key.length > 1 && nameKey(skill.name).includes(key),
  ];
  for (const fits of steps) {
    const candidates = skills.filter(fits);
    const [first] = candidates;
    if (first !== undefined)
      return candidates.length === 1 ? { kind: 'found', skill: first } : { kind: 'ambiguous', candidates };
  }
  return {
    kind: 'unknown',
    suggestions: closestNames(
      wanted,
      skills.map((skill) => skill.name),
    ),
  };
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
