// A user of the AI SDK: one agent run on the SDK's mock model, which activates a skill and answers.

import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { withSkills } from '@skillful/vercel-ai';
import { generateText, isStepCount, ToolLoopAgent } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

const [directory = ''] = process.argv.slice(2);
const toolkit = createToolkit(await loadCatalog([fileSource(directory)]));
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};
const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'activate_skill', input: '{"name":"greeting"}' };
const model = new MockLanguageModelV4({
  async doGenerate({ prompt }) {
    const asked = prompt.at(-1)?.role === 'user';
    const reason = asked ? ('tool-calls' as const) : ('stop' as const);
    return {
      content: asked ? [call] : [{ type: 'text', text: 'Hello.' }],
      finishReason: { unified: reason, raw: reason },
      usage,
      warnings: [],
    };
  },
});
// A library exports such an agent.
export const agent = new ToolLoopAgent(withSkills({ model }, toolkit));
await generateText({
  ...withSkills({ model }, toolkit),
  instructions: 'You are kind.',
  prompt: 'Greet me.',
  stopWhen: isStepCount(5),
});

const [first, second] = model.doGenerateCalls;
const system = first?.prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n');
const answer = second?.prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
const activation = answer?.flatMap((part) =>
  part.type === 'tool-result' && part.output.type === 'text' ? [part.output.value] : [],
)[0];
console.log(JSON.stringify({ system, tools: first?.tools?.map(({ name }) => name), activation }));
