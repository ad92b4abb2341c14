// Reads what a skill says it is for, which is what people and models search.

import type { Skill } from '../skill/skill.ts';

/** Returns the description of a skill, its `when_to_use` and its tags, each on its own line. */
export function purposeOf(skill: Skill): string {
  const { description, properties } = skill;
  return [description, properties.whenToUse ?? '', tagsOf(skill).join(', ')].filter((text) => text !== '').join('\n');
}

/** A tag without the spaces, quotes and brackets around it. */
const bareTag = /[^\s[\]"'](?:.*[^\s[\]"'])?/su;

/** Returns the tags of a skill as written. People write them as a list, as JSON, or separated by commas. */
export function tagsOf({ properties: { metadata, extensions } }: Skill): readonly string[] {
  const own: unknown = Object.hasOwn(extensions, 'tags') ? extensions['tags'] : undefined;
  const listed: readonly unknown[] = Array.isArray(own) ? own : typeof own === 'string' ? own.split(',') : [];
  const nested = Object.hasOwn(metadata, 'tags') ? (metadata['tags'] ?? '').split(',') : [];
  const texts = [...listed.filter((tag) => typeof tag === 'string'), ...nested];
  return texts.flatMap((text) => bareTag.exec(text)?.[0] ?? []);
}
