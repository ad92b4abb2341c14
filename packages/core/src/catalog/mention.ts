// Finds the skills that a user mentions: `/name arguments` at the start of a message, `$name` anywhere in it.

import { composeName } from '../format/properties/name.ts';
import type { Skill } from '../skill/skill.ts';
import { unspaced } from '../text/unspaced.ts';
import { type Catalog, skillsOf } from './catalog.ts';
import { nameKey, qualifiedName } from './names.ts';
import { ownWords } from './own-words.ts';
import { createCommandName } from './resolve.ts';

/** A skill that a user named. */
export interface SkillMention {
  readonly skill: Skill;
  /** The text after the last `/name`; empty for `$name`. */
  readonly arguments: string;
}

/** Which forms of mentions count. */
export interface MentionOptions {
  /**
   * `/name arguments` at the start of a message, also with several names: `/one /two arguments`.
   * @default true
   */
  readonly slash?: boolean | undefined;
  /**
   * `$name` anywhere outside code, quotations and pasted tags.
   * @default true
   */
  readonly dollar?: boolean | undefined;
}

/** A slash, also the wide one of Chinese and Japanese keyboards, at the start of a text; marks of direction may come first. */
const command = /^[\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*[/\uff0f](\S[\s\S]*)$/;

/** Characters of a name after `/`. */
const longestName = 128;

/** Skills that `/one /two arguments` activates, as in Claude Code. */
const mostCommands = 5;

/** Built at first use, because most texts have no `$`. */
let dollarName: RegExp | undefined;
let unspacedLetter: RegExp | undefined;

/**
 * Finds the skills that a text mentions, each once, in the order of the text. `former` has the keys of names that activated skills when
 * the text was written, because they do not become arguments if their skills leave the catalog.
 */
export type MentionReader = (text: string, former?: ReadonlySet<string>) => readonly SkillMention[];

/**
 * Creates a function that finds the skills that a text mentions.
 *
 * Only exact names, qualified names and `plugin:name` count, so a path or a price is not a mention. They are normalized as in a
 * `SKILL.md`. After `/`, names may have spaces and end at a comma, and names that look the same count as the same, capitals included,
 * because phones write them at the start of a message. Skills with `user-invocable: false` cannot be mentioned. Collects the names of
 * the catalog once, for many texts.
 */
export function createMentionReader(
  catalog: Catalog,
  { slash = true, dollar = true }: MentionOptions = {},
): MentionReader {
  let names: ReadonlyMap<string, Skill> | undefined;
  let keys: ReadonlyMap<string, Skill> | undefined;
  const find = (name: string): Skill | undefined => {
    names ??= gatherNames(catalog);
    return findIn(names, name);
  };
  const findCommand = (name: string): Skill | undefined => {
    keys ??= gatherNames(catalog, nameKey);
    return findIn(keys, nameKey(name));
  };
  /** Takes `/name` off the start of a text. The longest name counts. */
  const takeCommand = (
    text: string,
    former: ReadonlySet<string>,
  ): { readonly skill: Skill | undefined; readonly rest: string } | undefined => {
    const [, said = ''] = command.exec(text) ?? [];
    for (const end of endsOfWords(said).reverse()) {
      const name = composeName(said.slice(0, end));
      const skill = findCommand(name);
      const isFormer = former.has(nameKey(name)) || former.has(nameKey(withoutComma(name)));
      if (skill !== undefined || isFormer) return { skill, rest: said.slice(end) };
    }
    return undefined;
  };
  return (text, former = new Set()) => {
    const mentions = new Map<Skill, SkillMention>();
    const add = (skill: Skill | undefined, rest: string): void => {
      if (skill !== undefined && !mentions.has(skill)) mentions.set(skill, { skill, arguments: rest.trim() });
    };
    const commands: (Skill | undefined)[] = [];
    let rest = text;
    while (slash && commands.length < mostCommands) {
      const next = takeCommand(rest, former);
      if (next === undefined) break;
      commands.push(next.skill);
      rest = next.rest;
    }
    for (const skill of commands) add(skill, rest);
    if (dollar && /[$\uff04]/.test(text)) {
      dollarName ??= new RegExp(
        `(?<![_$\\uff04\\\\]|(?![${unspaced}])[\\p{L}\\p{N}])[$\\uff04]([\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}:/_-]{0,127})`,
        'gu',
      );
      for (const [, name = ''] of ownWords(text).matchAll(dollarName)) add(findLongest(composeName(name), find), '');
    }
    return [...mentions.values()];
  };
}

function withoutComma(name: string): string {
  return name.replace(/[:,;、。]+$/, '');
}

/** Finds a skill that users may activate. */
function findIn(names: ReadonlyMap<string, Skill>, name: string): Skill | undefined {
  // A name that ends in a comma must not take the place of the name before it.
  const plain = withoutComma(name);
  const found = names.get(plain) ?? names.get(name) ?? names.get(plain.replace(/[:_-]+$/, ''));
  return found?.properties.userInvocable === false ? undefined : found;
}

/** Returns where a name with spaces may end. */
function endsOfWords(text: string): number[] {
  const ends: number[] = [];
  for (const { index } of text.matchAll(/(?<=\S)(?!\S)|(?<=[、。，：；])/g)) {
    if (index > longestName) break;
    ends.push(index);
  }
  return ends;
}

/** Finds the longest name at the start of a text. More may follow: `$pdf/forms`, or where words have no spaces, `$pdf提取`. */
function findLongest(text: string, find: (name: string) => Skill | undefined): Skill | undefined {
  unspacedLetter ??= new RegExp(`[${unspaced}]`, 'u');
  for (let end = text.length; end > 0; end -= 1) {
    // At its end, there must be a slash, or on either side a letter of a script without spaces.
    const isEnd = end === text.length || text[end] === '/' || unspacedLetter.test(text.slice(end - 1, end + 1));
    if (!isEnd) continue;
    const name = text.slice(0, end);
    const skill = find(name);
    // `$5` is a price.
    if (skill !== undefined && !/^\p{N}+$/u.test(name)) return skill;
  }
  return undefined;
}

/** Maps names to skills. Names come before qualified names, and winners before the skills that they shadow. */
function gatherNames(catalog: Catalog, fold = (name: string): string => name): ReadonlyMap<string, Skill> {
  const names = new Map<string, Skill>();
  const add = (name: string | undefined, skill: Skill): void => {
    if (name !== undefined && !names.has(fold(name))) names.set(fold(name), skill);
  };
  for (const skill of catalog.skills) add(skill.name, skill);
  for (const skill of skillsOf(catalog)) add(qualifiedName(skill), skill);
  const commandName = createCommandName(catalog);
  for (const skill of skillsOf(catalog)) add(commandName(skill), skill);
  return names;
}
