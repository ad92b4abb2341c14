// Gives a model the whole results of skill tools, of which a memory keeps only what clients may read.

import type { ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { SkillToolkit, StoredResult } from '@skillful/core';
import { contextOf, type SkillRun } from './run.ts';
import { textOf } from './view.ts';

type Prompt = ProcessLLMRequestArgs['prompt'];
type Part = Exclude<Prompt[number], { role: 'system' }>['content'][number];
type Output = Extract<Part, { type: 'tool-result' }>['output'];

/** Returns a prompt with whole results. */
export async function restorePrompt(
  call: ProcessLLMRequestArgs,
  run: SkillRun,
  toolkit: SkillToolkit,
): Promise<Prompt> {
  const inputs = new Map<string, unknown>();
  const restore = async (part: Part): Promise<Part> => {
    if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input);
    if (part.type !== 'tool-result') return part;
    const { toolCallId: id, toolName: name, output } = part;
    const known = { ...contextOf(run, call), call: id };
    const result = await toolkit.restoreResult({ name, input: inputs.get(id) }, textOf(output), known);
    return result === undefined ? part : { ...part, output: toOutput(result, call.model.specificationVersion) };
  };
  const restored: Prompt = [];
  for (const message of call.prompt) {
    if (message.role === 'system') restored.push(message);
    else restored.push({ ...message, content: await Promise.all(message.content.map(restore)) } as typeof message);
  }
  return restored;
}

/** Returns a result as a model reads it, in a version of the interface of providers. */
export function toOutput({ text, isError, files }: StoredResult, version = 'v2'): Output {
  if (isError) return { type: 'error-text', value: text };
  if (files.length === 0) return { type: 'text', value: text };
  return { type: 'content', value: [{ type: 'text', text }, ...files.map((file) => toFile(file, version))] } as Output;
}

function toFile({ mediaType, data }: StoredResult['files'][number], version: string): object {
  if (version === 'v2') return { type: 'media', mediaType, data };
  if (version === 'v3') return { type: mediaType.startsWith('image/') ? 'image-data' : 'file-data', mediaType, data };
  return { type: 'file', mediaType, data: { type: 'data', data } };
}
