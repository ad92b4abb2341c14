// Puts the files of a tool's result where the model of a call reads them.

import type { ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { SkillToolkit } from '@skillful/core';
import { markAdded } from './delegate.ts';

type Prompt = ProcessLLMRequestArgs['prompt'];
type UserContent = Extract<Prompt[number], { role: 'user' }>['content'];

/** Returns a prompt whose results have only files that the model reads there, and the others behind them or in words. */
export function fitFiles(prompt: Prompt, model: unknown, toolkit: SkillToolkit): Prompt {
  const { provider, modelId, gatewayId } = Object(model);
  const name = gatewayId === undefined ? String(provider) : `${provider}/${modelId}`;
  let waiting: UserContent = [];
  return prompt.flatMap((message, index): Prompt => {
    if (message.role !== 'tool') return [message];
    const content = message.content.map((part) => {
      const { output } = part;
      if (output.type !== 'content' || toolkit.tools.every((tool) => tool.name !== part.toolName)) return part;
      const said = output.value.map((value) => ('text' in value ? value.text : '')).join('');
      const files = output.value.flatMap((value) => ('mediaType' in value ? [value] : []));
      const { text, inResult, behind } = toolkit.placeFiles(name, said, files);
      const words = { type: 'text' as const, text };
      if (behind.length > 0) waiting.push(words, ...behind.map((file) => ({ ...file, type: 'file' as const })));
      if (inResult.length === 0) return { ...part, output: { type: 'text' as const, value: text } };
      return { ...part, output: { ...output, value: [words, ...inResult] } };
    });
    const result = { ...message, content };
    if (waiting.length === 0 || prompt[index + 1]?.role === 'tool') return [result];
    const files = waiting;
    waiting = [];
    return [result, markAdded({ role: 'user', content: files })];
  });
}
