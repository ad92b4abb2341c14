// The form of messages in the AI SDK, which other frameworks also use for prompts.

import { leftOutNote } from '../disclosure/answers.ts';
import type { CallView } from './conversation.ts';
import type { MessageForm, TextPart, UnkeyedMessage } from './message-form.ts';
import { parseResultText, type SkillToolPart, type StoredResult } from './stored.ts';

/** A message in the form of the AI SDK. */
export interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

type Part = Readonly<Record<string, unknown>>;
/** A file part. */
export type PromptFile = Part & { readonly mediaType: string };

/** What a form depends on. */
export interface PromptFormOptions<Message> {
  /** The name of the model's package or, with a gateway, of its vendor and `/`. */
  readonly model?: string;
  /** The version of the model interface, in which restored results are written: `v2`, `v3` or `v4`. */
  readonly version?: string;
  /** Returns what identifies a user message with a text. By default, the text. */
  readonly identify?: (message: Message, text: string) => string;
}

/** Maps each message that a form created to the messages that it replaced. */
const originals = new WeakMap<object, readonly object[]>();

/** Returns messages as they were before forms changed them. */
export function withoutEdits<Message extends object>(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message) => (originals.get(message) ?? [message]) as readonly Message[]);
}

/** Creates the form of such messages, with the system prompt as a message. */
export function createPromptForm<Message extends PromptMessage>({
  model = '',
  version = '',
  identify,
}: PromptFormOptions<Message> = {}): MessageForm<Message, PromptFile> {
  const replace = (message: PromptMessage, ...before: readonly Message[]): Message => {
    originals.set(message, before);
    return message as Message;
  };
  return {
    model,
    view(message) {
      const { role } = message;
      const parts = partsOf(message.content);
      const results = parts.filter(({ type }) => type === 'tool-result').map(viewResult);
      // One view for each result, because their messages may be split or joined on the way through a browser or a store.
      if (role === 'tool' && results.length > 0) return results;
      const text = textOf(parts);
      // Other parts may be lost on the way.
      const said = [role, text, ...parts.map(({ toolCallId = '' }) => toolCallId)].join('\n');
      if (role === 'user') return [{ said: identify?.(message, text) ?? said, role, text }];
      if (role === 'assistant') {
        // The results of calls that the provider runs are in the same message.
        const own = parts.filter(({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true);
        const calls = own.map(viewCall);
        return [{ said, role, calls, ...(parts.some(isCompaction) && { compacts: true }) }];
      }
      return [{ said, role: role === 'tool' ? role : 'other' }];
    },
    addSystem(text, last) {
      if (last === undefined) return [replace({ role: 'system', content: text })];
      // A breakpoint of a provider's cache stays where the application set it.
      if (Object(last).providerOptions !== undefined) return [last, replace({ role: 'system', content: text })];
      // The chat templates of some models, such as Qwen, refuse a second system message.
      const content = [last.content, text].filter((part) => part !== '').join('\n\n');
      return [replace({ ...last, content }, last)];
    },
    createUser(parts) {
      const content = parts.map((part) => (isFile(part) ? { ...part, type: 'file' } : part));
      return replace({ role: 'user', content });
    },
    createResult({ id: toolCallId, name: toolName }, value) {
      const output = { type: 'error-text', value };
      return replace({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] });
    },
    change(message, { rewrite, appended }) {
      if (message.role !== 'tool') {
        if (appended.length === 0) return message;
        return replace({ ...message, content: appendTexts(message.content, appended) }, message);
      }
      const content = partsOf(message.content).map((part) => {
        const files = partsOf(Object(part['output']).value).filter(isFile);
        const result = rewrite(String(part['toolCallId']), files);
        if (result === undefined) return part;
        const { text, content: value } = result;
        return { ...part, output: value.length > 1 ? { type: 'content', value } : { type: 'text', value: text } };
      });
      return replace({ ...message, content }, message);
    },
    restore(message, resultOf) {
      const content = partsOf(message.content).map((part) => {
        const result = resultOf(String(part['toolCallId']));
        return result === undefined ? part : { ...part, output: writeOutput(result, version) };
      });
      return { ...message, content };
    },
  };
}

/** Checks whether a part is a summary of the conversation by Anthropic or OpenAI. */
function isCompaction({ providerOptions }: Part): boolean {
  return Object.values(Object(providerOptions)).some((options) => Object(options).type === 'compaction');
}

function viewCall({ toolCallId: id, toolName: name, input }: Part): CallView {
  return { id: String(id), name: String(name), input };
}

function viewResult({ toolCallId, toolName, output }: Part): UnkeyedMessage {
  const { type, value } = Object(output);
  const id = String(toolCallId);
  // The stored result, if an application converts UI messages without the tools. A refusal says enough as it is.
  const { text: stored, characters, isError: wasRefused } = Object(type === 'json' ? value : parseResultText(value));
  const isRedacted = typeof characters === 'number' && wasRefused === false;
  const shown = typeof stored === 'string' ? stored : textOf(partsOf(value));
  const text = isRedacted ? leftOutNote : shown;
  const result = { id, tool: String(toolName), text, isError: type === 'error-text' };
  return { said: id, role: 'tool', results: [result] };
}

function textOf(parts: readonly Part[]): string {
  const texts = parts.filter(({ type }) => type === 'text');
  return texts.map(({ text }) => String(text)).join('\n');
}

function partsOf(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter((part) => Object(part) === part) : [];
}

/** Adds texts to the content of a message. If it is one text, it stays one text, because some servers accept no parts. */
function appendTexts(content: unknown, appended: readonly TextPart[]): unknown {
  const parts = partsOf(content);
  const [only = {}] = parts;
  // Mastra stores a time here. Other options may mark where a provider's cache ends.
  const { mastra: _, ...options } = Object(only['providerOptions']);
  if (parts.length !== 1 || only['type'] !== 'text' || Object.keys(options).length > 0) return [...parts, ...appended];
  const text = [only, ...appended].map((part) => part.text).join('\n\n');
  return typeof content === 'string' ? text : [{ ...only, text }];
}

function isFile(part: Part): part is PromptFile {
  return typeof part['mediaType'] === 'string';
}

/** Converts a result to a version of the model interface: `v2`, `v3` or `v4`. */
export function writeOutput({ text, isError, files }: StoredResult, version: string): object {
  if (isError) return { type: 'error-text', value: text };
  if (files.length === 0) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...files.map((file) => writeFile(file, version))] };
}

function writeFile({ mediaType, data, ...name }: SkillToolPart, version: string): object {
  if (version === 'v2') return { type: 'media', mediaType, data };
  // In `v4`, the older forms cause warnings. In `v3`, providers drop an image unless it has the form for images.
  if (version !== 'v3') return { type: 'file', mediaType, data: { type: 'data', data }, ...name };
  if (mediaType.startsWith('image/')) return { type: 'image-data', mediaType, data };
  return { type: 'file-data', mediaType, data, ...name };
}
