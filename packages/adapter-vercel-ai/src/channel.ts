// The provider options that carry what is only for skills: no provider reads them.

import type { ActiveSkill, ConversationItem } from '@skillful/core';
import type { ModelMessage } from 'ai';

/** Their name, in the options of a call and in those of a message. */
export const channel = 'skillful';

type ProviderOptions = NonNullable<ModelMessage['providerOptions']>;

/** Provider options of a call that tell what is active. */
export function writeActive(active: readonly ActiveSkill[]): ProviderOptions {
  return { [channel]: { active: active.map((entry) => ({ ...entry })) } };
}

/** Reads what is active from the options of a call; undefined where they do not tell. */
export function readActive(options: unknown): readonly ActiveSkill[] | undefined {
  const active = readField(options, 'active');
  return Array.isArray(active) ? active : undefined;
}

/** Provider options of a message that tell what the application decided. */
export function writeDecisions(items: readonly ConversationItem[]): ProviderOptions {
  return { [channel]: { decisions: items.map(({ text }) => text) } };
}

/** Reads from the options of a message what the application decided. */
export function readDecisions(options: unknown): readonly ConversationItem[] {
  const texts = readField(options, 'decisions');
  return Array.isArray(texts) ? texts.map((text) => ({ kind: 'code', text: String(text) })) : [];
}

function readField(options: unknown, field: string): unknown {
  const own = isRecord(options) ? options[channel] : undefined;
  return isRecord(own) ? own[field] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
