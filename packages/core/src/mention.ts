// Finds the skills that a user asks for by name: `/name arguments` at the beginning of a message, `$name` anywhere in it.

import type { Catalog } from './catalog.ts';
import { qualifiedName } from './resolve.ts';
import type { Skill } from './skill.ts';

/** A skill that a user named. */
export interface SkillMention {
  readonly skill: Skill;
  /** What follows `/name`; empty for `$name`. */
  readonly arguments: string;
}

const slash = /^\s*\/([^\s/]{1,128})(?:[ \t]+([\s\S]*))?$/u;
const dollar = /(?<![\p{L}\p{N}_$\\])\$([\p{L}\p{N}][\p{L}\p{N}:_-]{0,127})/gu;

/**
 * Finds the skills that a text mentions, each once, in the order of the text.
 *
 * Only exact names and qualified names count, so that a path or a price is no mention; a skill that users may not
 * activate (`user-invocable: false`) has none.
 */
export function parseMentions(text: string, catalog: Catalog): readonly SkillMention[] {
  const mentions: SkillMention[] = [];
  const add = (name: string, rest: string): void => {
    const skill = findMentioned(catalog, name);
    if (skill === undefined || mentions.some((mention) => mention.skill === skill)) return;
    mentions.push({ skill, arguments: rest.trim() });
  };
  const command = slash.exec(text);
  if (command?.[1] !== undefined) add(command[1], command[2] ?? '');
  for (const [, name] of text.matchAll(dollar)) if (name !== undefined) add(name, '');
  return mentions;
}

function findMentioned(catalog: Catalog, name: string): Skill | undefined {
  const everySkill = [...catalog.skills, ...catalog.shadowed.map(({ skill }) => skill)];
  const found =
    catalog.skills.find((skill) => skill.name === name) ?? everySkill.find((skill) => qualifiedName(skill) === name);
  return found?.properties.userInvocable === false ? undefined : found;
}
