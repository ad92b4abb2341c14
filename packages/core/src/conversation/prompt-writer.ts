// Writes messages in the form of the AI SDK, which other frameworks also use for prompts.

import type { MessageWriter } from './edit-messages.ts';

/** A message in the form of the AI SDK. */
export interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A part of a message or of a result. */
export type Part = Readonly<Record<string, unknown>>;
/** A file part. */
export type PromptFile = Part & { readonly mediaType: string };

/** Maps each message that a writer created to the messages that it replaced. */
const originals = new WeakMap<object, readonly object[]>();

/** Returns messages as they were before writers changed them. */
export function withoutEdits<Message extends object>(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message) => (originals.get(message) ?? [message]) as readonly Message[]);
}

/** Creates a writer of such messages for a model. `system` becomes a separate message. */
export function createPromptWriter<Message extends PromptMessage>(
  model: string,
  system: string,
): MessageWriter<Message, PromptFile> {
  const replace = (message: PromptMessage, ...before: readonly Message[]): Message => {
    originals.set(message, before);
    return message as Message;
  };
  return {
    model,
    head: system === '' ? [] : [replace({ role: 'system', content: system })],
    createUser(parts) {
      const content = parts.map((part) => (isFile(part) ? { ...part, type: 'file' } : part));
      return replace({ role: 'user', content });
    },
    change(message, { rewrite, appended }) {
      if (message.role !== 'tool' && appended.length === 0) return message;
      const content = partsOf(message.content).map((part) => {
        const files = partsOf(Object(part['output']).value).filter(isFile);
        const result = rewrite(String(part['toolCallId']), files);
        if (result === undefined) return part;
        const { text, content: value } = result;
        return { ...part, output: value.length > 1 ? { type: 'content', value } : { type: 'text', value: text } };
      });
      return replace({ ...message, content: [...content, ...appended] }, message);
    },
  };
}

/** Returns the parts of a message's content. */
export function partsOf(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter((part) => Object(part) === part) : [];
}

function isFile(part: Part): part is PromptFile {
  return typeof part['mediaType'] === 'string';
}
