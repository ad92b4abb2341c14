// Which skills are active in a conversation, derived from the conversation alone.

import type { Catalog } from '../catalog/catalog.ts';
import { createMentionReader, mayMention } from '../catalog/mention.ts';
import { qualifiedName } from '../catalog/resolve.ts';
import type { Skill } from '../skill/skill.ts';
import { escapeField } from '../text/neutral.ts';
import {
  type ActiveSkill,
  type ConversationItem,
  cutToMark,
  parseActivation,
  parseBeginning,
  parseEnding,
  parsePointer,
} from './marks.ts';
import { isForModels } from './plan.ts';

/** Names of the tools whose results change what is active. */
export interface LedgerTools {
  readonly activate: string;
  readonly deactivate: string;
}

/**
 * Returns the skills that are active after some items, the latest activation last; `before` was active before them.
 *
 * A result activates a skill that neither models nor users may activate only if it is active already, because a client that
 * sends messages may have forged the result.
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
      const begun = parseBeginning(item.text);
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

/** Limit for a recorded user message, which is cut at its end. */
const longestRecord = 4_000;

/** Returns the part of an item that `parseLedger` needs once the item is gone; `undefined` if it is not about skills. */
export function recordItem(item: ConversationItem, tools: LedgerTools): ConversationItem | undefined {
  if (item.kind === 'user') {
    return mayMention(item.text) ? { kind: 'user', text: item.text.slice(0, longestRecord) } : undefined;
  }
  const head = cutToMark(item.text, marksOf(item, tools));
  return head === undefined ? undefined : { ...item, text: head };
}

function marksOf(
  item: Exclude<ConversationItem, { kind: 'user' }>,
  tools: LedgerTools,
): Parameters<typeof cutToMark>[1] {
  if (item.kind === 'code') return ['beginning', 'ending'];
  if (item.tool === tools.activate) return ['activation', 'pointer'];
  return item.tool === tools.deactivate ? ['ending'] : [];
}

/** Returns the name in the wrapper of a skill's text, by which `findActive` finds the skill again. */
export function nameInWrapper(catalog: Catalog, skill: Skill): string {
  const shadowed = catalog.shadowed.some((entry) => entry.skill === skill);
  return escapeField(shadowed ? qualifiedName(skill) : skill.name);
}

/** The skills of each catalog by the names in their wrappers: a conversation may name thousands. */
const wrapped = new WeakMap<Catalog, ReadonlyMap<string, Skill>>();

/** Finds the skill that a wrapper names; `undefined` if it has left the catalog. */
export function findActive(catalog: Catalog, name: string): Skill | undefined {
  const skills = wrapped.get(catalog) ?? indexByWrapper(catalog);
  wrapped.set(catalog, skills);
  return skills.get(name);
}

/** An unescaped name wins over one that looks the same once it is escaped. */
function indexByWrapper({ skills, shadowed }: Catalog): ReadonlyMap<string, Skill> {
  const named = skills.map((skill): [string, Skill] => [escapeField(skill.name), skill]);
  const qualified = shadowed.map(({ skill }): [string, Skill] => [escapeField(qualifiedName(skill)), skill]);
  const plain = named.filter(([name, skill]) => name === skill.name);
  return new Map([...qualified.reverse(), ...named.reverse(), ...plain]);
}
