// A user of the oldest version of Mastra in the peer range: what its mock model gets in the conversations of `oldest-peers.test.ts`.

import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { MockMemory } from '@mastra/core/memory';
import type { InputProcessor } from '@mastra/core/processors';
import { createToolkit, loadCatalog, type SkillToolkit } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { decide, withSkills } from '@skillful/mastra';

// This Mastra's own mock model has no types. It takes a model of the AI SDK's second version as it is.
type Model = Extract<MastraModelConfig, { readonly specificationVersion: 'v2' }>;
type CallOptions = Parameters<Model['doStream']>[0];
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;

const [directory = '', empty = ''] = process.argv.slice(2);
const toolkit = createToolkit(await loadCatalog([fileSource(directory)]));
const calls = [
  ['activate_skill', { name: 'greeting' }],
  ['read_skill_resource', { skill: 'greeting', path: 'references/ways.md' }],
  ['read_skill_resource', { skill: 'greeting', path: 'assets/seal.png' }],
  // Mastra itself answers a call of `greeting`, which the others correct to this.
  ['activate_skill', { name: 'greeting' }],
] as const;

/** Answers with one call after another, and then with words, whole and as a stream. */
function createModel(script: readonly (typeof calls)[number][], given: CallOptions[]): Model {
  let turn = 0;
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const answer = async (options: CallOptions) => {
    given.push(options);
    const call = script[turn++];
    const finishReason = call === undefined ? ('stop' as const) : ('tool-calls' as const);
    const part =
      call === undefined
        ? { type: 'text' as const, text: 'Hello.' }
        : {
            type: 'tool-call' as const,
            toolCallId: `${turn}`,
            toolName: call[0],
            input: JSON.stringify(call[1]),
          };
    const stream = new ReadableStream<Part>({
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings: [] });
        if (part.type === 'tool-call') controller.enqueue(part);
        else {
          controller.enqueue({ type: 'text-start', id: '0' });
          controller.enqueue({ type: 'text-delta', id: '0', delta: part.text });
          controller.enqueue({ type: 'text-end', id: '0' });
        }
        controller.enqueue({ type: 'finish', finishReason, usage });
        controller.close();
      },
    });
    return { stream, content: [part], finishReason, usage, warnings: [] };
  };
  return {
    specificationVersion: 'v2',
    provider: 'mock',
    modelId: 'mock',
    supportedUrls: {},
    doGenerate: answer,
    doStream: answer,
  };
}

function observe({ prompt, tools }: CallOptions) {
  const results = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
  const contents = results.flatMap(({ output }): object[] =>
    output.type === 'content' ? output.value : [{ type: 'text', text: output.value }],
  );
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
    tools: (tools ?? []).map(({ name }) => name),
    users: prompt.flatMap(({ role, content }) => (role === 'user' ? [textOf(content)] : [])),
    results: contents.flatMap((part) => ('text' in part ? [part.text] : [])),
    files: contents.flatMap((part) => ('mediaType' in part ? [part.mediaType] : [])),
  };
}

function textOf(content: readonly object[]): string {
  return content.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n\n');
}

interface Options {
  readonly skills?: SkillToolkit;
  readonly script?: readonly (typeof calls)[number][];
  readonly before?: InputProcessor[];
  readonly stream?: boolean;
}

async function converse({ skills = toolkit, script = calls, before = [], stream = false }: Options = {}) {
  const given: CallOptions[] = [];
  const model = createModel(script, given);
  const config: AgentConfig<'kind'> = {
    id: 'kind',
    name: 'kind',
    instructions: 'You are kind.',
    model,
    inputProcessors: before,
  };
  const agent = new Agent(withSkills(config, skills));
  if (stream) await (await agent.stream('Greet me.', { maxSteps: 10 })).text;
  else await agent.generate('Greet me.', { maxSteps: 10 });
  return given.map(observe);
}

/** After the activation, the application shows the model only what the user said. */
const shorten: InputProcessor = {
  id: 'shorten',
  processLLMRequest: ({ prompt }) => ({
    prompt: prompt.filter(({ role }) => role === 'system' || role === 'user'),
  }),
};

/** After the activation, the application deactivates the skill; returns what the model gets in the next turn. */
async function end() {
  const given: CallOptions[] = [];
  const memory = new MockMemory();
  const config = { id: 'kind', name: 'kind', instructions: 'You are kind.', model: createModel([calls[0]], given) };
  const agent = new Agent(withSkills({ ...config, memory }, toolkit));
  const options = { maxSteps: 10, memory: { thread: 'one', resource: 'user' } };
  await agent.generate('Greet me.', options);
  await decide(toolkit, { deactivate: ['greeting'] }, { memory, threadId: 'one' });
  await agent.generate('Go on.', options);
  return given.map(observe).slice(-1);
}

console.log(
  JSON.stringify({
    generate: await converse(),
    stream: await converse({ stream: true }),
    shorten: await converse({ script: [calls[0]], before: [shorten] }),
    end: await end(),
    empty: await converse({ skills: createToolkit(await loadCatalog([fileSource(empty)])), script: [] }),
  }),
);

// Old versions keep a timer that would keep this process running.
process.exit();
