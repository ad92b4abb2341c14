// A user of the oldest LangChain of the peer range: what its fake model gets in the conversations of `oldest-peers.test.ts`.

import type { BaseMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createToolkit, loadCatalog, type SkillToolkit } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { decide, skillsMiddleware } from '@skillful/langchain';
import { type AgentMiddleware, AIMessage, createAgent, createMiddleware, fakeModel } from 'langchain';

const [directory = '', empty = ''] = process.argv.slice(2);
const toolkit = createToolkit(await loadCatalog([fileSource(directory)]));
const calls = [
  { name: 'activate_skill', args: { name: 'greeting' } },
  { name: 'read_skill_resource', args: { skill: 'greeting', path: 'references/ways.md' } },
  { name: 'read_skill_resource', args: { skill: 'greeting', path: 'assets/seal.png' } },
  { name: 'greeting', args: {} },
] as const;

/** Answers with one call after another, and then with words. */
function createModel(script: readonly (typeof calls)[number][]): ReturnType<typeof fakeModel> {
  const model = fakeModel();
  for (const call of script) {
    const tool_calls = [{ ...call, id: crypto.randomUUID(), type: 'tool_call' as const }];
    model.respond(new AIMessage({ content: '', tool_calls }));
  }
  return model.respond(new AIMessage('Hello.'));
}

function observe(messages: readonly BaseMessage[], tools: readonly unknown[]) {
  const results = messages.filter((message) => message.type === 'tool');
  const said = messages.filter((message) => message.type === 'human').map(partsOf);
  const blocks = messages.flatMap(({ content }): object[] => (typeof content === 'string' ? [] : content));
  return {
    system: messages.find((message) => message.type === 'system')?.text,
    tools,
    // The files that a tool read are a message of the user, too.
    users: said.filter((parts) => parts.every((part) => 'text' in part)).map((parts) => parts.map(textOf).join('\n\n')),
    results: results.map((message) => message.text),
    files: blocks.flatMap((block) => /^data:([^;]+);/.exec(Object(block).image_url?.url)?.[1] ?? []),
  };
}

function partsOf({ content }: BaseMessage): readonly object[] {
  return typeof content === 'string' ? [{ text: content }] : content;
}

function textOf(part: object): string {
  return 'text' in part ? String(part.text) : '';
}

interface Options {
  readonly skills?: SkillToolkit;
  readonly script?: readonly (typeof calls)[number][];
  readonly before?: readonly AgentMiddleware[];
  readonly stream?: boolean;
}

async function converse({ skills = toolkit, script = calls, before = [], stream = false }: Options = {}) {
  const model = createModel(script);
  const offered: unknown[][] = [];
  const watch = createMiddleware({
    name: 'Watch',
    wrapModelCall(request, handler) {
      offered.push(request.tools.map(({ name }) => name));
      return handler(request);
    },
  });
  const middleware: AgentMiddleware[] = [...before, skillsMiddleware(skills), watch];
  const agent = createAgent({ model, systemPrompt: 'You are kind.', checkpointer: new MemorySaver(), middleware });
  const input = { messages: [{ role: 'user' as const, content: 'Greet me.' }] };
  const config = { configurable: { thread_id: 'one' } };
  if (stream) {
    for await (const _ of await agent.stream(input, { ...config, streamMode: 'values' }));
  } else await agent.invoke(input, config);
  return model.calls.map(({ messages }, index) => observe(messages, offered[index] ?? []));
}

/** After the activation, the application shows the model only what the user said. */
const shorten = createMiddleware({
  name: 'Shorten',
  wrapModelCall: (request, handler) => handler({ ...request, messages: request.messages.slice(0, 1) }),
});

/** After the activation, the application deactivates the skill; returns what the model gets in the next turn. */
async function end() {
  const model = createModel([calls[0]]).respond(new AIMessage('Well.'));
  const offered: unknown[][] = [];
  const watch = createMiddleware({
    name: 'Watch',
    wrapModelCall(request, handler) {
      offered.push(request.tools.map(({ name }) => name));
      return handler(request);
    },
  });
  const middleware: AgentMiddleware[] = [skillsMiddleware(toolkit), watch];
  const agent = createAgent({ model, systemPrompt: 'You are kind.', checkpointer: new MemorySaver(), middleware });
  const config = { configurable: { thread_id: 'one' } };
  await agent.invoke({ messages: [{ role: 'user', content: 'Greet me.' }] }, config);
  await decide(toolkit, { deactivate: ['greeting'] }, { agent, config });
  await agent.invoke({ messages: [{ role: 'user', content: 'Go on.' }] }, config);
  return model.calls.map(({ messages }, index) => observe(messages, offered[index] ?? [])).slice(-1);
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
