// What changed between two snapshots, in terms of skills.

import { keyOf } from '../skill/listing.ts';
import type { Skill } from '../skill/skill.ts';
import { type Catalog, snapshotsOf } from './catalog.ts';

/** The differences between two catalogs, each list sorted by name. */
export interface CatalogChanges {
  readonly added: readonly Skill[];
  /** The skills as they are now. */
  readonly changed: readonly Skill[];
  /** The skills as they were. */
  readonly removed: readonly Skill[];
}

/**
 * Compares what two catalogs offer. A skill is the same as long as its source and its directory are; it has changed if its
 * `SKILL.md` or its sidecar was written, as far as the source knows, or says something else.
 */
export function compareCatalogs(before: Catalog, after: Catalog): CatalogChanges {
  const old = new Map(before.skills.map((skill) => [skillKey(skill), skill]));
  const current = new Map(after.skills.map((skill) => [skillKey(skill), skill]));
  const stampBefore = stampsOf(before);
  const stampAfter = stampsOf(after);

  function isChanged(previous: Skill, skill: Skill): boolean {
    if (previous === skill) return false;
    const stamp = stampBefore(skill);
    // A file that was just written has no stamp at first; getting one later is not a change.
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

function stampsOf(catalog: Catalog): (skill: Skill) => string | undefined {
  return (skill) => {
    const key = keyOf(skill);
    const holder = snapshotsOf(catalog).find(
      ({ source, entries }) => source.id === skill.source.id && entries.has(key),
    );
    return holder?.entries.get(key)?.stamp;
  };
}

function fingerprint({ name, identity, inode, bytes, properties }: Skill): string {
  return JSON.stringify([name, identity, inode, bytes, properties]);
}
