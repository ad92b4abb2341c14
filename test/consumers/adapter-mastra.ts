// A user of Mastra: one agent run on its mock model, which activates a skill and answers.

import { Agent } from '@mastra/core/agent';
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock';
import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { withSkills } from '@skillful/mastra';

const [directory = ''] = process.argv.slice(2);
const toolkit = createToolkit(await loadCatalog([fileSource(directory)]));
const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const call = { type: 'tool-call' as const, toolCallId: '1', toolName: 'activate_skill', input: '{"name":"greeting"}' };
const model = new MastraLanguageModelV2Mock({
  async doGenerate({ prompt }) {
    const asked = prompt.at(-1)?.role === 'user';
    return {
      content: asked ? [call] : [{ type: 'text', text: 'Hello.' }],
      finishReason: asked ? 'tool-calls' : 'stop',
      usage,
      warnings: [],
    };
  },
});
const agent = new Agent(withSkills({ id: 'kind', name: 'kind', instructions: 'You are kind.', model }, toolkit));
await agent.generate('Greet me.');

const [first, second] = model.doGenerateCalls;
const system = first?.prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n');
const answer = second?.prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
const activation = answer?.flatMap(({ output }) => (output.type === 'text' ? [output.value] : []))[0];
console.log(JSON.stringify({ system, tools: first?.tools?.map(({ name }) => name), activation }));
