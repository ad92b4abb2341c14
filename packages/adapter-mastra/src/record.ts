// What the ledger is read from where Mastra has a memory: thread metadata, which outlives the messages that are recalled.

import type { ConversationItem, SkillToolkit } from '@skillful/core';
import { type MessageLike, readIdentifiedItems } from './conversation.ts';

/** The key of thread metadata that holds the record. */
export const recordKey = 'skillful';

/**
 * An item with what tells it from all others and the time at which it was first recorded, in milliseconds: enough to make
 * one record of what several runs wrote, in whatever order a store gives it back.
 */
export type RecordEntry = ConversationItem & { readonly key: string; readonly at: number };

/** Reads the record from a thread's metadata; empty where there is none or something else stands there. */
export function readRecord(metadata: Readonly<Record<string, unknown>> | undefined): readonly RecordEntry[] {
  const found = metadata?.[recordKey];
  return Array.isArray(found) ? mergeRecords(found.filter(isEntry)) : [];
}

/** Makes one record of several, in order: each item once, as it was recorded first. */
export function mergeRecords(...records: readonly (readonly RecordEntry[])[]): readonly RecordEntry[] {
  const entries = new Map<string, RecordEntry>();
  for (const entry of records.flat()) {
    const known = entries.get(entry.key);
    if (known === undefined || entry.at < known.at) entries.set(entry.key, entry);
  }
  return [...entries.values()].sort((one, other) => one.at - other.at || (one.key < other.key ? -1 : 1));
}

/** Adds what the messages of a run tell beyond a record. */
export function recordMessages(
  record: readonly RecordEntry[],
  messages: readonly MessageLike[],
  toolkit: SkillToolkit,
): readonly RecordEntry[] {
  const known = new Set(record.map(({ key }) => key));
  const items = readIdentifiedItems(messages, toolkit).flatMap(([id, item]): [string, ConversationItem][] => {
    const kept = toolkit.recordItem(item);
    const key = kept?.kind === 'user' ? `user ${id}` : `result ${id} ${kept?.text}`;
    return kept === undefined || known.has(key) ? [] : [[key, kept]];
  });
  return append(record, items);
}

/** Adds decisions of the application to a record. */
export function recordDecisions(
  record: readonly RecordEntry[],
  items: readonly ConversationItem[],
): readonly RecordEntry[] {
  return append(
    record,
    items.map((item) => [`${item.kind} ${crypto.randomUUID()}`, item]),
  );
}

/** What is added comes after all that is there, also where another machine's clock is ahead. */
function append(
  record: readonly RecordEntry[],
  items: readonly (readonly [string, ConversationItem])[],
): readonly RecordEntry[] {
  const start = Math.max(Date.now(), (record.at(-1)?.at ?? 0) + 1);
  return mergeRecords(
    record,
    items.map(([key, item], index) => ({ ...item, key, at: start + index })),
  );
}

function isEntry(value: unknown): value is RecordEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { key, at, kind, text, tool } = value as Readonly<Record<string, unknown>>;
  if (typeof key !== 'string' || typeof at !== 'number' || typeof text !== 'string') return false;
  return kind === 'user' || kind === 'code' || (kind === 'result' && typeof tool === 'string');
}
