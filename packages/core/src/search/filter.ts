// Describes as data which skills a search considers, so that a database can filter, too.

import type { Skill } from '../skill/skill.ts';
import type { SkillScope } from '../skill/source.ts';
import { tagsOf } from './purpose.ts';

/** Conditions for a skill. It must meet all that are given. */
export interface SkillFilter {
  readonly scope?: SkillScope | undefined;
  /** The id of its source. */
  readonly source?: string | undefined;
  /** One of its `tags`, in the frontmatter or in `metadata`. Letter case is ignored. */
  readonly tag?: string | undefined;
  /** Fields of its `metadata` that must have these texts. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Checks whether a skill meets a filter. */
export function isMatching(skill: Skill, { scope, source, tag, metadata = {} }: SkillFilter): boolean {
  if (scope !== undefined && skill.source.scope !== scope) return false;
  if (source !== undefined && skill.source.id !== source) return false;
  if (tag !== undefined && !hasTag(skill, tag)) return false;
  return Object.entries(metadata).every(
    ([key, text]) => Object.hasOwn(skill.properties.metadata, key) && skill.properties.metadata[key] === text,
  );
}

function hasTag(skill: Skill, wanted: unknown): boolean {
  if (typeof wanted !== 'string') return false;
  const lower = wanted.trim().toLowerCase();
  return tagsOf(skill).some((tag) => tag.toLowerCase() === lower);
}
