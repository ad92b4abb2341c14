// Results of tools in the form of the AI SDK: how a model reads one, and how all of it comes back to where a part was kept.

import { type PromptMessage, partsOf } from './prompt-writer.ts';
import type { StoredResult } from './stored.ts';

/** What a message says of a result: what was called, and the text that was kept. */
export interface PromptResult {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly kept: string;
}

/** Returns messages in which the results that `restore` finds are whole; `version` is that of the model's interface. */
export async function restoreMessages<Message extends PromptMessage>(
  messages: readonly Message[],
  version: string,
  restore: (result: PromptResult) => Promise<StoredResult | undefined>,
): Promise<Message[]> {
  const inputs = new Map<unknown, unknown>();
  const restored: Message[] = [];
  for (const message of messages) {
    const content = await Promise.all(
      partsOf(message.content).map(async (part) => {
        const { type, toolCallId: id, toolName, output } = part;
        if (type === 'tool-call') inputs.set(id, part['input']);
        const { value } = Object(output);
        if (type !== 'tool-result' || typeof value !== 'string') return part;
        const result = await restore({ id: String(id), name: String(toolName), input: inputs.get(id), kept: value });
        return result === undefined ? part : { ...part, output: writeOutput(result, version) };
      }),
    );
    restored.push(message.role === 'tool' ? { ...message, content } : message);
  }
  return restored;
}

/** Returns a result as a model reads it, in a version of the interface of models: `v2`, `v3` or `v4`. */
export function writeOutput({ text, isError, files }: StoredResult, version: string): object {
  if (isError) return { type: 'error-text', value: text };
  if (files.length === 0) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...files.map((file) => writeFile(file, version))] };
}

function writeFile({ mediaType, data }: StoredResult['files'][number], version: string): object {
  if (version === 'v2') return { type: 'media', mediaType, data };
  if (version === 'v3') return { type: mediaType.startsWith('image/') ? 'image-data' : 'file-data', mediaType, data };
  return { type: 'file', mediaType, data: { type: 'data', data } };
}
