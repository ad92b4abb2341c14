// Compares two catalogs, so that an application learns which skills changed.

import { keyOf } from '../skill/listing.ts';
import type { Skill } from '../skill/skill.ts';
import type { SkillSource } from '../skill/source.ts';
import { type Catalog, snapshotsOf } from './catalog.ts';

/** The differences between two catalogs, each list sorted by name. */
export interface CatalogChanges {
  readonly added: readonly Skill[];
  /** The skills as in the new catalog. */
  readonly changed: readonly Skill[];
  /** The skills as in the old catalog. */
  readonly removed: readonly Skill[];
}

/**
 * Compares what two catalogs offer. A skill is identified by its source and its directory. It has changed if its properties
 * differ, or if the source reports that its `SKILL.md` or sidecar was written.
 */
export function compareCatalogs(before: Catalog, after: Catalog): CatalogChanges {
  const keysBefore = createSkillKeys(before);
  const keysAfter = createSkillKeys(after);
  const old = new Map(before.skills.map((skill) => [keysBefore(skill), skill]));
  const current = new Map(after.skills.map((skill) => [keysAfter(skill), skill]));
  const stampBefore = stampsOf(before);
  const stampAfter = stampsOf(after);

  function isChanged(previous: Skill, skill: Skill): boolean {
    if (previous === skill) return false;
    const stamp = stampBefore(previous);
    // A file that was just written has no stamp at first; getting a stamp later is not a change.
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
  const removed = [...old].flatMap(([key, skill]) => (current.has(key) ? [] : [skill]));
  return { added, changed, removed };
}

/**
 * Creates a function that returns a key for a skill, which stays the same across catalogs. Sources with the same id are told
 * apart by their order, as in a reload.
 */
export function createSkillKeys(catalog: Catalog): (skill: Pick<Skill, 'source' | 'directory'>) => string {
  const places = new Map<SkillSource, string>();
  const counts = new Map<string, number>();
  for (const { source } of snapshotsOf(catalog)) {
    const count = counts.get(source.id) ?? 0;
    counts.set(source.id, count + 1);
    if (!places.has(source)) places.set(source, `${source.id}\n${count}`);
  }
  return ({ source, directory }) => `${places.get(source) ?? source.id}\n${directory}`;
}

function stampsOf(catalog: Catalog): (skill: Skill) => string | undefined {
  const entries = new Map(snapshotsOf(catalog).map((snapshot) => [snapshot.source, snapshot.entries]));
  return (skill) => entries.get(skill.source)?.get(keyOf(skill))?.stamp;
}

function fingerprint({ name, identity, inode, bytes, properties }: Skill): string {
  return JSON.stringify([name, identity, inode, bytes, properties]);
}
