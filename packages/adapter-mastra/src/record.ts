// What the ledger is read from where Mastra has a memory: thread metadata, which outlives the messages that are recalled.

import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { readIdentifiedItems } from './conversation.ts';

/** The key of thread metadata that holds the record. */
export const recordKey = 'skillful';

/** Items by the id of their tool call or the words of the user, in the order of the conversation. */
export type ConversationRecord = Readonly<Record<string, ConversationItem>>;

/** Reads the record from a thread's metadata; empty where there is none or something else stands there. */
export function readRecord(metadata: Readonly<Record<string, unknown>> | undefined): ConversationRecord {
  const found = metadata?.[recordKey];
  if (typeof found !== 'object' || found === null) return {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, ConversationItem] => isItem(entry[1])),
  );
}

/** Gives what is to be added to a record: what users may have named, and how each skill tool's result begins. */
export function newEntries(
  record: ConversationRecord,
  messages: readonly unknown[],
  toolkit: SkillToolkit,
): ConversationRecord {
  const entries = readIdentifiedItems(messages, toolkit)
    .filter(([id, item]) => !Object.hasOwn(record, id) && (item.kind === 'result' || mayMention.test(item.text)))
    .map(([id, item]) => [id.slice(0, longestRecord), { ...item, text: shorten(item) }] as const);
  return Object.fromEntries(entries);
}

const mayMention = /^\s*\/|\$/;
const longestRecord = 4_000;

/** The first line of a result says which skill it is about; the instructions themselves are not kept. */
function shorten({ kind, text }: ConversationItem): string {
  const end = kind === 'result' ? text.indexOf('\n') + 1 || text.length : text.length;
  return text.slice(0, Math.min(end, longestRecord));
}

function isItem(value: unknown): value is ConversationItem {
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string') return false;
  return 'kind' in value && (value.kind === 'user' || (value.kind === 'result' && 'tool' in value));
}
