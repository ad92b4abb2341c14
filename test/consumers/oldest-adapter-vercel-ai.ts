// A user of the oldest AI SDK of the peer range: what its mock model gets in the conversations of `oldest-peers.test.ts`.

import { createToolkit, loadCatalog, type SkillToolkit } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { decide, prepareModelCall, stateIn, stateMessage, withSkills } from '@skillful/vercel-ai';
import { generateText, type ModelMessage, stepCountIs, ToolLoopAgent } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';

type Result = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
type Part = Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never;

const [directory = '', empty = ''] = process.argv.slice(2);
const toolkit = createToolkit(await loadCatalog([fileSource(directory)]));
const calls = [
  ['activate_skill', { name: 'greeting' }],
  ['read_skill_resource', { skill: 'greeting', path: 'references/ways.md' }],
  ['read_skill_resource', { skill: 'greeting', path: 'assets/seal.png' }],
  ['greeting', {}],
] as const;

/** Answers with one call after another, and then with words. */
function createModel(script: readonly (typeof calls)[number][]): MockLanguageModelV3 {
  let turn = 0;
  const next = (): Result => {
    const call = script[turn++];
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    };
    const unified = call === undefined ? ('stop' as const) : ('tool-calls' as const);
    const finishReason = { unified, raw: undefined };
    if (call === undefined) return { content: [{ type: 'text', text: 'Hello.' }], finishReason, usage, warnings: [] };
    const [toolName, input] = call;
    const content = [{ type: 'tool-call' as const, toolCallId: `${turn}`, toolName, input: JSON.stringify(input) }];
    return { content, finishReason, usage, warnings: [] };
  };
  return new MockLanguageModelV3({
    doGenerate: async () => next(),
    doStream: async () => {
      const { content, finishReason, usage } = next();
      const parts = content.flatMap((part): Part[] =>
        part.type === 'tool-call'
          ? [part]
          : part.type === 'text'
            ? [
                { type: 'text-start', id: '0' },
                { type: 'text-delta', id: '0', delta: part.text },
                { type: 'text-end', id: '0' },
              ]
            : [],
      );
      const chunks: Part[] = [
        { type: 'stream-start', warnings: [] },
        ...parts,
        { type: 'finish', finishReason, usage },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}

function observe({ prompt, tools }: MockLanguageModelV3['doGenerateCalls'][number]) {
  const results = prompt.flatMap((message) =>
    message.role === 'tool' ? message.content.filter((part) => part.type === 'tool-result') : [],
  );
  const contents = results.flatMap(({ output }): object[] => {
    if (output.type === 'content') return output.value;
    return 'value' in output ? [{ type: 'text', text: output.value }] : [];
  });
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n\n'),
    tools: (tools ?? []).map(({ name }) => name),
    users: prompt.flatMap((message) =>
      message.role === 'user'
        ? [message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')]
        : [],
    ),
    results: contents.flatMap((part) => ('text' in part ? [part.text] : [])),
    files: contents.flatMap((part) => ('mediaType' in part ? [part.mediaType] : [])),
  };
}

const stopWhen = stepCountIs(10);
const instructions = 'You are kind.';

async function generate(skills: SkillToolkit, script: readonly (typeof calls)[number][]) {
  const model = createModel(script);
  const agent = new ToolLoopAgent(withSkills({ model, instructions, stopWhen }, skills));
  await agent.generate({ prompt: 'Greet me.' });
  return model.doGenerateCalls.map(observe);
}

async function stream() {
  const model = createModel(calls);
  const agent = new ToolLoopAgent(
    withSkills(
      {
        model,
        instructions,
        stopWhen: ({ steps }) => steps.length > 9,
        onStepFinish: ({ toolCalls }) => void toolCalls.length,
      },
      toolkit,
    ),
  );
  await (await agent.stream({ prompt: 'Greet me.' })).text;
  return model.doStreamCalls.map(observe);
}

/** After the activation, the application shows the model only what the user said. */
async function shorten() {
  const model = createModel([calls[0]]);
  const prepareStep = ({ messages }: { messages: ModelMessage[] }) => ({ messages: messages.slice(0, 1) });
  const agent = new ToolLoopAgent(withSkills({ model, instructions, stopWhen, prepareStep }, toolkit));
  await agent.generate({ prompt: 'Greet me.' });
  return model.doGenerateCalls.map(observe);
}

/** After the activation, the application deactivates the skill; returns what the model gets in its own loop. */
async function end() {
  const model = createModel([calls[0]]);
  const settings = { model, instructions, stopWhen };
  const messages: ModelMessage[] = [{ role: 'user', content: 'Greet me.' }];
  const agent = new ToolLoopAgent(withSkills(settings, toolkit));
  messages.push(...(await agent.generate({ messages })).response.messages);
  const state = await decide(toolkit, { deactivate: ['greeting'] }, messages);
  messages.push(stateMessage(state), { role: 'user', content: 'Go on.' });
  const call = await prepareModelCall(toolkit, { messages, instructions, state: stateIn(messages) });
  await generateText({ model, ...call });
  return model.doGenerateCalls.map(observe).slice(-1);
}

console.log(
  JSON.stringify({
    generate: await generate(toolkit, calls),
    stream: await stream(),
    shorten: await shorten(),
    end: await end(),
    empty: await generate(createToolkit(await loadCatalog([fileSource(empty)])), []),
  }),
);
