// The activations of one conversation, read from what was said in it: nothing is remembered elsewhere.

import type { Catalog } from '../catalog/catalog.ts';
import { createMentionReader, mayMention } from '../catalog/mention.ts';
import { qualifiedName } from '../catalog/resolve.ts';
import type { Skill } from '../skill/skill.ts';
import { escapeField, escapeXml, unescapeXml } from '../text/neutral.ts';
import { isForModels } from './plan.ts';

/**
 * What counts in a conversation: words of the user, results of the toolkit's own tools, and what the toolkit gave for the
 * application's own decisions. An adapter hands over nothing else, so that a tag which a user, a file or another tool wrote
 * is never taken for an activation.
 */
export type ConversationItem =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'result'; readonly tool: string; readonly text: string };

/** An activation that holds. */
export interface ActiveSkill {
  /** The name in the wrapper of its text: plain, or qualified where the skill was shadowed. */
  readonly name: string;
  /** The beginning of the SHA-256 of the `SKILL.md` that was disclosed; absent where a user asked and nothing was disclosed yet. */
  readonly digest?: string | undefined;
  /** Arguments that it was activated with; absent where the application activated it or the model gave none. */
  readonly arguments?: string | undefined;
}

/** Names of the tools whose results make up the ledger. */
export interface LedgerTools {
  readonly activate: string;
  readonly deactivate: string;
}

const opening = /^<skill_content name="([^"\n]+)" digest="([0-9a-f]{8})"(?: arguments="([^"\n]*)")?>\n/;
const closing = '\n</skill_content>';
const pointer = /^<skill_active name="([^"\n]+)" digest="([0-9a-f]{8})" \/>/;
const ending = /^<skill_inactive name="([^"\n]+)" \/>/;
const beginning = /^<skill_active name="([^"\n]+)" \/>/;

/** Notes that the application activates a skill, or ends it; `name` as in the skill's wrapper. */
export function writeDecision(name: string, decision: 'activate' | 'deactivate'): ConversationItem {
  const tag = decision === 'activate' ? 'skill_active' : 'skill_inactive';
  return { kind: 'code', text: `<${tag} name="${name}" />` };
}

/** Recognises the text of an activation by its first line. */
export function parseActivation(text: string): ActiveSkill | undefined {
  return matchEntry(opening, text);
}

/** Recognises the answer to an activation of what was in context already. */
export function parsePointer(text: string): ActiveSkill | undefined {
  return matchEntry(pointer, text);
}

/** Recognises the answer to a deactivation. */
export function parseEnding(text: string): ActiveSkill | undefined {
  return matchEntry(ending, text);
}

/** Recognises the text of an activation that is there to its end: a framework may have cut it. */
export function parseWholeActivation(text: string): ActiveSkill | undefined {
  return text.includes(closing) ? parseActivation(text) : undefined;
}

function matchEntry(pattern: RegExp, text: string): ActiveSkill | undefined {
  const [, name, digest, written] = pattern.exec(text) ?? [];
  if (name === undefined) return undefined;
  const given = written === undefined ? undefined : parseArguments(written);
  return { name, digest, ...(given === undefined ? {} : { arguments: given }) };
}

/** Arguments of a longer form than this are not told in the wrapper, whose first line frameworks keep. */
const longestArguments = 2_000;

/** Writes arguments for the first line of a wrapper; nothing where there are none or too many. */
export function writeArguments(text: string): string {
  const written = escapeXml(JSON.stringify(text).slice(1, -1));
  return text === '' || written.length > longestArguments ? '' : ` arguments="${written}"`;
}

function parseArguments(written: string): string | undefined {
  try {
    return String(JSON.parse(`"${unescapeXml(written)}"`));
  } catch {
    return undefined;
  }
}

/** Tells whether two activations of a skill gave it the same arguments. */
export function sameArguments(one: ActiveSkill, other: ActiveSkill): boolean {
  return (one.arguments ?? '') === (other.arguments ?? '');
}

/**
 * Reads which skills are active after some items, the latest activation last; `before` is what was active already.
 *
 * What neither a model nor a user may activate stays with the application: a result counts only while it is active already,
 * because a client that sends messages may have written the result itself.
 */
export function parseLedger(
  items: readonly ConversationItem[],
  catalog: Catalog,
  tools: LedgerTools,
  before: readonly ActiveSkill[] = [],
): readonly ActiveSkill[] {
  const active = new Map(before.map((entry) => [entry.name, entry]));
  const put = (entry: ActiveSkill): void => {
    active.delete(entry.name);
    active.set(entry.name, entry);
  };
  const readMentions = createMentionReader(catalog);
  for (const item of items) {
    if (item.kind === 'user') {
      for (const mention of readMentions(item.text)) {
        const name = nameInWrapper(catalog, mention.skill);
        const known = mention.arguments === '' ? active.get(name) : undefined;
        put(known ?? { name, arguments: mention.arguments });
      }
    } else if (item.kind === 'code') {
      const begun = matchEntry(beginning, item.text);
      if (begun !== undefined) put(active.get(begun.name) ?? { name: begun.name });
      active.delete(parseEnding(item.text)?.name ?? '');
    } else if (item.tool === tools.activate) {
      const pointed = parsePointer(item.text);
      const entry = parseActivation(item.text) ?? active.get(pointed?.name ?? '') ?? pointed;
      if (entry !== undefined && (active.has(entry.name) || !isForCodeOnly(catalog, entry.name))) put(entry);
    } else if (item.tool === tools.deactivate) {
      const ended = parseEnding(item.text);
      if (ended !== undefined) active.delete(ended.name);
    }
  }
  return [...active.values()];
}

function isForCodeOnly(catalog: Catalog, name: string): boolean {
  const skill = findActive(catalog, name);
  return skill !== undefined && !isForModels(skill) && skill.properties.userInvocable === false;
}

/** A message of a user longer than this is recorded by its beginning. */
const longestRecord = 4_000;

/**
 * Gives what of an item is to be kept for `readLedger` to find the same when the item itself is gone; nothing where it says
 * nothing of skills.
 */
export function recordItem(item: ConversationItem, tools: LedgerTools): ConversationItem | undefined {
  if (item.kind === 'user') {
    return mayMention(item.text) ? { kind: 'user', text: item.text.slice(0, longestRecord) } : undefined;
  }
  const [head] = patternsOf(item, tools).flatMap((pattern) => pattern.exec(item.text)?.slice(0, 1) ?? []);
  return head === undefined ? undefined : { ...item, text: head };
}

function patternsOf(item: Exclude<ConversationItem, { kind: 'user' }>, tools: LedgerTools): readonly RegExp[] {
  if (item.kind === 'code') return [beginning, ending];
  if (item.tool === tools.activate) return [opening, pointer];
  return item.tool === tools.deactivate ? [ending] : [];
}

/** The name that stands in the wrapper of a skill's text, and by which `findActive` finds the skill again. */
export function nameInWrapper(catalog: Catalog, skill: Skill): string {
  const shadowed = catalog.shadowed.some((entry) => entry.skill === skill);
  return escapeField(shadowed ? qualifiedName(skill) : skill.name);
}

/** The skills of catalogs by the names that `frameName` gives them: a conversation may name thousands. */
const framed = new WeakMap<Catalog, ReadonlyMap<string, Skill>>();

/** Finds the skill that a wrapper names; nothing where it has left the catalog. */
export function findActive(catalog: Catalog, name: string): Skill | undefined {
  const skills = framed.get(catalog) ?? gatherFramed(catalog);
  framed.set(catalog, skills);
  return skills.get(name);
}

/** A name that stands as it is comes before one that looks like it once it is escaped. */
function gatherFramed({ skills, shadowed }: Catalog): ReadonlyMap<string, Skill> {
  const named = skills.map((skill): [string, Skill] => [escapeField(skill.name), skill]);
  const qualified = shadowed.map(({ skill }): [string, Skill] => [escapeField(qualifiedName(skill)), skill]);
  const plain = named.filter(([name, skill]) => name === skill.name);
  return new Map([...qualified.reverse(), ...named.reverse(), ...plain]);
}
