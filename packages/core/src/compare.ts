// What changed between two snapshots, in terms of skills.

import type { Catalog } from './catalog.ts';
import type { Skill } from './skill.ts';

/** The differences between two catalogs, each list sorted by name. */
export interface CatalogChanges {
  readonly added: readonly Skill[];
  /** The skills as they are now. */
  readonly changed: readonly Skill[];
  /** The skills as they were. */
  readonly removed: readonly Skill[];
}

/**
 * Compares what two catalogs offer. A skill is the same as long as its source and its directory are.
 *
 * @param isTouched says of a skill that its files changed although its properties did not
 */
export function compareCatalogs(
  before: Catalog,
  after: Catalog,
  isTouched: (skill: Skill) => boolean = () => false,
): CatalogChanges {
  const old = new Map(before.skills.map((skill) => [skillKey(skill), skill]));
  const current = new Map(after.skills.map((skill) => [skillKey(skill), skill]));
  const added: Skill[] = [];
  const changed: Skill[] = [];
  for (const [key, skill] of current) {
    const previous = old.get(key);
    if (previous === undefined) added.push(skill);
    else if (isTouched(skill) || fingerprint(previous) !== fingerprint(skill)) changed.push(skill);
  }
  return { added, changed, removed: before.skills.filter((skill) => !current.has(skillKey(skill))) };
}

/** Names a skill across snapshots. */
export function skillKey({ source, directory }: Pick<Skill, 'source' | 'directory'>): string {
  return `${source.id}\n${directory}`;
}

function fingerprint({ name, identity, bytes, properties }: Skill): string {
  return JSON.stringify([name, identity, bytes, properties]);
}
