// The activations of one conversation, read from what was said in it: nothing is remembered elsewhere.

import type { Catalog } from './catalog.ts';
import { parseMentions } from './mention.ts';
import { escapeXml, oneLine } from './neutral-text.ts';
import { qualifiedName } from './resolve.ts';
import type { Skill } from './skill.ts';

/**
 * What counts in a conversation: words of the user, and results of the toolkit's own tools. An adapter hands over nothing
 * else, so that a tag which a user, a file or another tool wrote is never taken for an activation.
 */
export type ConversationItem =
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'result'; readonly tool: string; readonly text: string };

/** An activation that holds. */
export interface ActiveSkill {
  /** The name in the wrapper of its text: plain, or qualified where the skill was shadowed. */
  readonly name: string;
  /** The beginning of the SHA-256 of the `SKILL.md` that was disclosed; absent where a user asked and nothing was disclosed yet. */
  readonly digest?: string | undefined;
  /** Arguments that a user gave with the name. */
  readonly arguments?: string | undefined;
}

/** Names of the tools whose results make up the ledger. */
export interface LedgerTools {
  readonly activate: string;
  readonly deactivate: string;
}

const opening = /^<skill_content name="([^"\n]{1,400})" digest="(sha256:[0-9a-f]{12})">\n/;
const pointer = /^<skill_active name="([^"\n]{1,400})" digest="(sha256:[0-9a-f]{12})" \/>/;
const ending = /^<skill_inactive name="([^"\n]{1,400})" \/>/;

/** Recognises the full text of an activation. */
export function readActivation(text: string): ActiveSkill | undefined {
  return matchEntry(opening, text);
}

function matchEntry(pattern: RegExp, text: string): ActiveSkill | undefined {
  const [, name, digest] = pattern.exec(text) ?? [];
  return name === undefined ? undefined : { name, digest };
}

/** Reads which skills are active after some items, the latest activation last; `before` is what was active already. */
export function readLedger(
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
  for (const item of items) {
    if (item.kind === 'user') {
      for (const mention of parseMentions(item.text, catalog)) {
        put({ name: frameName(catalog, mention.skill), arguments: mention.arguments });
      }
    } else if (item.tool === tools.activate) {
      const entry = readActivation(item.text) ?? matchEntry(pointer, item.text);
      if (entry !== undefined) put(entry);
    } else if (item.tool === tools.deactivate) {
      const ended = matchEntry(ending, item.text);
      if (ended !== undefined) active.delete(ended.name);
    }
  }
  return [...active.values()];
}

/** The name that stands in the wrapper of a skill's text, and by which `findActive` finds the skill again. */
export function frameName(catalog: Catalog, skill: Skill): string {
  const shadowed = catalog.shadowed.some((entry) => entry.skill === skill);
  return escapeXml(oneLine(shadowed ? qualifiedName(skill) : skill.name));
}

/** Finds the skill that a wrapper names; nothing where it has left the catalog. */
export function findActive(catalog: Catalog, name: string): Skill | undefined {
  return (
    catalog.skills.find((skill) => escapeXml(oneLine(skill.name)) === name) ??
    catalog.shadowed.find(({ skill }) => escapeXml(oneLine(qualifiedName(skill))) === name)?.skill
  );
}
