// Where a source of directories begins: what lies behind a link below that was put there by reference.

import type { SkillSource } from '../../skill/source.ts';

const roots: WeakMap<SkillSource, string> = new WeakMap();

/** Remembers the directory that a source was made from. */
export function noteRoot(source: SkillSource, root: string): SkillSource {
  roots.set(source, root);
  return source;
}

/** Gives the directory that a source was made from; `undefined` for a layer and for what is no directory. */
export function rootOf(source: SkillSource): string | undefined {
  return roots.get(source);
}
