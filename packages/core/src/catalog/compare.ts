// What changed between two snapshots, in terms of skills.

import type { Skill } from '../skill/skill.ts';
import type { Catalog } from './catalog.ts';

/** The differences between two catalogs, each list sorted by name. */
export interface CatalogChanges {
  readonly added: readonly Skill[];
  /** The skills as they are now. */
  readonly changed: readonly Skill[];
  /** The skills as they were. */
  readonly removed: readonly Skill[];
}

/**
 * Compares what two catalogs offer. A skill is the same as long as its source and its directory are; it is changed when
 * its `SKILL.md` or its sidecar was written, as far as the source can tell, or says something else.
 */
export function compareCatalogs(before: Catalog, after: Catalog): CatalogChanges {
  const old = new Map(before.skills.map((skill) => [skillKey(skill), skill]));
  const current = new Map(after.skills.map((skill) => [skillKey(skill), skill]));
  const stampBefore = stampsOf(before);
  const stampAfter = stampsOf(after);

  function isChanged(previous: Skill, skill: Skill): boolean {
    if (previous === skill) return false;
    const stamp = stampBefore(skill);
    // A file that was just written has no stamp at first; that it gets one later is no change by itself.
    if (stamp !== undefined && stamp !== stampAfter(skill)) return true;
    return fingerprint(previous) !== fingerprint(skill);
  }

  const added: Skill[] = [];
  const changed: Skill[] = [];
  for (const [key, skill] of current) {
    const previous = old.get(key);
    if (previous === undefined) added.push(skill);
    else if (isChanged(previous, skill)) changed.push(skill);
  }
  return { added, changed, removed: before.skills.filter((skill) => !current.has(skillKey(skill))) };
}

/** Names a skill across snapshots. */
export function skillKey({ source, directory }: Pick<Skill, 'source' | 'directory'>): string {
  return `${source.id}\n${directory}`;
}

function stampsOf({ sources = [] }: Catalog): (skill: Skill) => string | undefined {
  return ({ source, directory }) => {
    const holder = sources.find(({ id, entries }) => id === source.id && entries.has(directory));
    return holder?.entries.get(directory)?.stamp;
  };
}

function fingerprint({ name, identity, bytes, properties }: Skill): string {
  return JSON.stringify([name, identity, bytes, properties]);
}
