// Finds the skills that a user asks for by name: `/name arguments` at the beginning of a message, `$name` anywhere in it.

import type { Skill } from '../skill/skill.ts';
import type { Catalog } from './catalog.ts';
import { qualifiedName } from './resolve.ts';

/** A skill that a user named. */
export interface SkillMention {
  readonly skill: Skill;
  /** What follows `/name`; empty for `$name`. */
  readonly arguments: string;
}

const slash = /^\s*\/([^\s/]{1,128})(?:\s+([\s\S]*))?$/u;
const dollar = /(?<![\p{L}\p{N}_$\\])\$([\p{L}\p{N}][\p{L}\p{N}:_-]{0,127})/gu;

/**
 * Finds the skills that a text mentions, each once, in the order of the text.
 *
 * Only exact names and qualified names count, so that a path or a price is no mention; a skill that users may not
 * activate (`user-invocable: false`) has none.
 */
export function parseMentions(text: string, catalog: Catalog): readonly SkillMention[] {
  return createMentionReader(catalog)(text);
}

/** True for a text that could mention a skill, whatever the catalog. */
export function mayMention(text: string): boolean {
  return /^\s*\/|\$/.test(text);
}

/** Creates a reader of many texts: the names of the catalog are gathered once, and only where a text could mention one. */
export function createMentionReader(catalog: Catalog): (text: string) => readonly SkillMention[] {
  let names: ReadonlyMap<string, Skill> | undefined;
  const find = (name: string): Skill | undefined => {
    names ??= gatherNames(catalog);
    const found = names.get(name) ?? names.get(name.replace(/[:_-]+$/, ''));
    return found?.properties.userInvocable === false ? undefined : found;
  };
  return (text) => {
    const mentions = new Map<Skill, SkillMention>();
    const add = (name: string, rest: string): void => {
      const skill = find(name);
      if (skill !== undefined && !mentions.has(skill)) mentions.set(skill, { skill, arguments: rest.trim() });
    };
    const command = slash.exec(text);
    if (command?.[1] !== undefined) add(command[1], command[2] ?? '');
    for (const [, name] of text.matchAll(dollar)) if (name !== undefined && !isPrice.test(name)) add(name, '');
    return [...mentions.values()];
  };
}

const isPrice = /^\p{N}+$/u;

/** Names come before qualified names, and winners before the skills that they shadow. */
function gatherNames({ skills, shadowed }: Catalog): ReadonlyMap<string, Skill> {
  const names = new Map<string, Skill>();
  const add = (name: string, skill: Skill): void => {
    if (!names.has(name)) names.set(name, skill);
  };
  for (const skill of skills) add(skill.name, skill);
  for (const skill of [...skills, ...shadowed.map((entry) => entry.skill)]) add(qualifiedName(skill), skill);
  return names;
}
