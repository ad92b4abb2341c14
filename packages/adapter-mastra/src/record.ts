// What the ledger is read from where Mastra has a memory: thread metadata, which outlives the messages that are recalled.

import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { readIdentifiedItems } from './conversation.ts';

/** The key of thread metadata that holds the record. */
export const recordKey = 'skillful';

/**
 * Items by the id of their tool call or the words of the user, in the order of the conversation. No key looks like a number:
 * those would come first.
 */
export type ConversationRecord = Readonly<Record<string, ConversationItem>>;

/** Reads the record from a thread's metadata; empty where there is none or something else stands there. */
export function readRecord(metadata: Readonly<Record<string, unknown>> | undefined): ConversationRecord {
  const found = metadata?.[recordKey];
  if (typeof found !== 'object' || found === null) return {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, ConversationItem] => isItem(entry[1])),
  );
}

/** Gives what is to be added to a record. */
export function newEntries(
  record: ConversationRecord,
  messages: readonly unknown[],
  toolkit: SkillToolkit,
): ConversationRecord {
  const entries = readIdentifiedItems(messages, toolkit).flatMap(([id, item]): [string, ConversationItem][] => {
    const kept = toolkit.recordItem(item);
    const key = kept?.kind === 'user' ? `user ${kept.text}` : `result ${id}`;
    return kept === undefined || Object.hasOwn(record, key) ? [] : [[key, kept]];
  });
  return Object.fromEntries(entries);
}

function isItem(value: unknown): value is ConversationItem {
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string') return false;
  return 'kind' in value && (value.kind === 'user' || (value.kind === 'result' && 'tool' in value));
}
