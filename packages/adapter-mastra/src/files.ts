// Keeps files from providers that would be sent them as text.

import type { ProcessLLMRequestArgs } from '@mastra/core/processors';

type Prompt = ProcessLLMRequestArgs['prompt'];

/** Leaves the sentence of a result, without its files, for a model that reads no files in the results of tools. */
export function fitFiles(prompt: Prompt, model: unknown, tools: readonly string[]): Prompt {
  if (readsFiles(model)) return prompt;
  return prompt.map((message) => {
    if (message.role !== 'tool') return message;
    const content = message.content.map((part) => {
      if (part.output.type !== 'content' || !tools.includes(part.toolName)) return part;
      const value = part.output.value.map((file) => ('text' in file ? file.text : '')).join('');
      return { ...part, output: { type: 'text' as const, value } };
    });
    return { ...message, content };
  });
}

/** Chat completions have no files in results; through a gateway, that is how all other providers are called. */
function readsFiles(model: unknown): boolean {
  const { provider, gatewayId } = Object(model);
  if (gatewayId !== undefined) return /^(?:openai|anthropic|google)\b/.test(provider);
  return !/\.(?:chat|completion)$/.test(provider);
}
