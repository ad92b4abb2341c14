// Writes tool results in the form of the AI SDK, and restores those that were stored only in part.

import { type Part, type PromptMessage, partsOf } from './prompt-writer.ts';
import type { StoredResult } from './stored.ts';

/** What the messages still contain of a result: the call, and the stored text. */
export interface LeftResult {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly kept: string;
  /** Whether the call did nothing except explain how to call correctly. */
  readonly isError: boolean;
}

/** Returns messages with all results that `restore` finds restored. `version` is that of the model's interface. */
export async function restoreMessages<Message extends PromptMessage>(
  messages: readonly Message[],
  version: string,
  restore: (result: LeftResult) => Promise<StoredResult | undefined>,
): Promise<Message[]> {
  const inputs = new Map<unknown, unknown>();
  const restored: Message[] = [];
  for (const message of messages) {
    const parts = partsOf(message.content);
    for (const { type, toolCallId, input } of parts) if (type === 'tool-call') inputs.set(toolCallId, input);
    if (message.role !== 'tool') {
      restored.push(message);
      continue;
    }
    const content: object[] = [];
    // One after the other, because a client may have forged thousands.
    for (const part of parts) content.push(await restorePart(part));
    restored.push({ ...message, content });
  }
  return restored;

  async function restorePart(part: Part): Promise<object> {
    const { type, toolCallId: id, toolName, output } = part;
    const { type: form, value } = Object(output);
    if (type !== 'tool-result' || typeof value !== 'string') return part;
    const isError = form === 'error-text';
    const result = await restore({
      id: String(id),
      name: String(toolName),
      input: inputs.get(id),
      kept: value,
      isError,
    });
    return result === undefined ? part : { ...part, output: writeOutput(result, version) };
  }
}

/** A result with the name of its file. */
export interface NamedResult extends StoredResult {
  readonly filename?: string | undefined;
}

/** Converts a result to a version of the model interface: `v2`, `v3` or `v4`. */
export function writeOutput({ text, isError, files, filename }: NamedResult, version: string): object {
  if (isError) return { type: 'error-text', value: text };
  if (files.length === 0) return { type: 'text', value: text };
  return {
    type: 'content',
    value: [{ type: 'text', text }, ...files.map((file) => writeFile(file, filename, version))],
  };
}

function writeFile(
  { mediaType, data }: StoredResult['files'][number],
  name: string | undefined,
  version: string,
): object {
  if (version === 'v2') return { type: 'media', mediaType, data };
  const filename = name === undefined ? {} : { filename: name };
  // In `v4`, the older forms cause warnings. In `v3`, providers drop an image unless it has the form for images.
  if (version !== 'v3') return { type: 'file', mediaType, data: { type: 'data', data }, ...filename };
  if (mediaType.startsWith('image/')) return { type: 'image-data', mediaType, data };
  return { type: 'file-data', mediaType, data, ...filename };
}
