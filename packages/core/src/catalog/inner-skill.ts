// Decides whose file it is: a skill at the root of a source contains the others, and their files are not its own.

import { unknownFile } from '../skill/paths.ts';
import type { Skill } from '../skill/skill.ts';
import type { ListFilesOptions } from '../skill/source.ts';
import type { Catalog } from './catalog.ts';

/**
 * Returns what refuses a path that is, or leads to, a file of another skill of the catalog inside this one, be it offered,
 * shadowed, withheld or rejected; nothing if there is none inside.
 */
export function createInnerCheck(catalog: Catalog, skill: Skill, path?: string): ListFilesOptions['checkPath'] {
  const outer = placeOf(skill);
  const others = [...catalog.shadowed, ...catalog.withheld].map((other) => other.skill);
  const inside = [...catalog.skills, ...others, ...catalog.rejected].flatMap((other) => {
    const inner = placeOf(other);
    if (inner.length <= outer.length || !inner.startsWith(outer)) return [];
    const [separator, ...rest] = inner.slice(outer.length).replaceAll('\\', '/');
    return separator === '/' ? [`${rest.join('')}/`] : [];
  });
  if (inside.length === 0) return undefined;
  return (real) => {
    if (inside.some((inner) => `${real}/`.startsWith(inner))) throw unknownFile(path ?? real);
  };
}

function placeOf({ identity, directory, source }: Pick<Skill, 'identity' | 'directory' | 'source'>): string {
  if (identity !== undefined) return identity;
  const place = directory.replace(/^(?:\.?\/|\.$)/, '');
  // All directories of a source are below its root.
  return place === '' ? `${source.id}\0` : `${source.id}\0/${place}`;
}
