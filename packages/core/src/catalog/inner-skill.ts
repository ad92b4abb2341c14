// Decides which skill a file belongs to, because a skill at the root of a source contains the files of all others.

import { getOrCreate } from '../runtime/get-or-create.ts';
import type { FileCheck } from '../skill/files.ts';
import { unknownFile } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { Catalog } from './catalog.ts';

/** The relative paths of the skills inside each skill. */
type InnerSkills = ReadonlyMap<string, readonly string[]>;

const known = new WeakMap<Catalog, InnerSkills>();

/**
 * Creates a check that refuses files of other skills inside a skill, also through links, and whether they are offered, shadowed,
 * withheld or rejected. Returns `undefined` if there are none inside.
 */
export function createInnerCheck(catalog: Catalog, skill: Skill, path?: string): FileCheck | undefined {
  const inside = getOrCreate(known, catalog, findInnerSkills).get(placeOf(skill));
  if (inside === undefined) return undefined;
  return (real) => {
    if (inside.some((inner) => `${real}/`.startsWith(inner))) throw unknownFile(path ?? real);
  };
}

function findInnerSkills({ skills, shadowed, withheld, rejected }: Catalog): InnerSkills {
  const others = [...shadowed, ...withheld].map(({ skill }) => skill);
  const places = new Set([...skills, ...others, ...rejected].map(placeOf));
  const inside = new Map<string, string[]>();
  for (const place of places) {
    for (let end = place.lastIndexOf('/'); end > 0; end = place.lastIndexOf('/', end - 1)) {
      const outer = place.slice(0, end);
      if (places.has(outer)) getOrCreate(inside, outer, (): string[] => []).push(`${place.slice(end + 1)}/`);
    }
  }
  return inside;
}

function placeOf({ identity, directory, source }: Pick<Skill, 'identity' | 'directory' | 'source'>): string {
  if (identity !== undefined) return identity.replaceAll('\\', '/');
  const place = directory.replace(/^(?:\.?\/|\.$)/, '');
  // All directories of a source are below its root.
  return place === '' ? `${source.id}\0` : `${source.id}\0/${place}`;
}
