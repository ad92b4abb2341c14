// Decides whose file it is: a skill at the root of a source contains the others, and their files are not its own.

import type { Skill } from '../skill/skill.ts';
import type { Catalog } from './catalog.ts';

/** Checks whether a path of a skill leads into another skill of the catalog, be it offered, shadowed, withheld or rejected. */
export function isOfInnerSkill(catalog: Catalog, skill: Skill, path: string): boolean {
  const outer = placeOf(skill);
  const others = [...catalog.shadowed, ...catalog.withheld].map((other) => other.skill);
  return [...catalog.skills, ...others, ...catalog.rejected].some((other) => {
    const inner = placeOf(other);
    if (inner.length <= outer.length || !inner.startsWith(outer)) return false;
    const [separator, ...rest] = inner.slice(outer.length).replaceAll('\\', '/');
    return separator === '/' && `${path}/`.startsWith(`${rest.join('')}/`);
  });
}

function placeOf({ identity, directory, source }: Pick<Skill, 'identity' | 'directory' | 'source'>): string {
  return identity ?? `${source.id}\0${directory}`;
}
