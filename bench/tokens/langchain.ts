// Sessions in LangChain: an agent of createAgent with these skills, and with those of deepagents.

import { type BaseMessage, RemoveMessage } from '@langchain/core/messages';
import type { StructuredTool } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { MemorySaver } from '@langchain/langgraph';
import { createToolkit, loadCatalog, type SkillToolkit } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { decide, skillsMiddleware } from '@skillful/langchain';
import { createFilesystemMiddleware, createSkillsMiddleware, FilesystemBackend } from 'deepagents';
import {
  type AgentMiddleware,
  AIMessage,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createAgent,
  fakeModel,
  HumanMessage,
  SystemMessage,
  summarizationMiddleware,
  ToolMessage,
  tool,
} from 'langchain';
import {
  type About,
  type Act,
  applicationPrompt,
  type Contender,
  type Conversation,
  type ConversationOptions,
  defineTool,
  lookup,
  type ModelCall,
  noSkills,
  noWording,
  remainingMessages,
  type Segment,
  toSteps,
  type Wording,
} from './contender.ts';
import { ownDefault } from './own.ts';

const lookupTool = tool(async (input: { query: string }) => lookup.answer(input.query), {
  name: lookup.name,
  description: lookup.description,
  schema: lookup.parameters,
});

interface SummaryOptions {
  readonly model: ReturnType<typeof fakeModel>;
  readonly trigger: { readonly messages: number };
  readonly keep: { readonly messages: number };
}

/** LangChain's types of this middleware do not hold under `exactOptionalPropertyTypes`. */
const summarize = summarizationMiddleware as unknown as (options: SummaryOptions) => AgentMiddleware;

/** Older tool results are cleared and older messages summarised. */
function compaction(): readonly AgentMiddleware[] {
  const summarizer = fakeModel();
  for (let call = 0; call < 100; call++) summarizer.respond(new AIMessage('Several entries were looked up.'));
  const options = { model: summarizer, trigger: { messages: 16 }, keep: { messages: 8 } };
  const edits = [new ClearToolUsesEdit({ trigger: { tokens: 2_000 }, keep: { messages: 3 } })];
  return [summarize(options), contextEditingMiddleware({ edits })];
}

interface Skills {
  readonly middleware: readonly AgentMiddleware[];
  /** By which the application can activate skills. */
  readonly toolkit?: SkillToolkit;
}
type CreateSkills = (directory: string) => Promise<Skills>;

const config = { configurable: { thread_id: 'session' }, recursionLimit: 100 };

function contender(about: About, wording: Wording, createSkills: CreateSkills): Contender {
  async function converse(options: ConversationOptions, checkpointer: MemorySaver): Promise<Conversation> {
    const { middleware, toolkit } = await createSkills(options.directory);
    const open = (model: ReturnType<typeof fakeModel>) =>
      createAgent({
        model,
        systemPrompt: applicationPrompt,
        tools: [lookupTool],
        checkpointer,
        middleware: [...(options.compaction ? compaction() : []), ...middleware],
      });
    return {
      async say(user, acts) {
        const { model, calls } = scriptedModel(acts, wording);
        await open(model).invoke({ messages: [{ role: 'user', content: user }] }, config);
        return calls();
      },
      async shorten() {
        const agent = open(fakeModel());
        const { values } = await agent.graph.getState(config);
        const old: readonly BaseMessage[] = values.messages.slice(0, -remainingMessages);
        await agent.graph.updateState(config, { messages: old.map(({ id = '' }) => new RemoveMessage({ id })) });
      },
      ...(toolkit && {
        activate: async (skill) =>
          void (await decide(toolkit, { activate: [skill] }, { agent: open(fakeModel()), config })),
      }),
      restart: () => converse(options, checkpointer),
    };
  }
  return { ...about, framework: 'LangChain', open: (options) => converse(options, new MemorySaver()) };
}

/** Creates a fake model that plays a turn, an act a call. */
function scriptedModel(acts: readonly Act[], wording: Wording) {
  const definitions: Segment[][] = [];
  const model = fakeModel();
  for (const step of toSteps(acts, wording)) {
    if (typeof step === 'string') model.respond(new AIMessage(step));
    else {
      const call = { name: step.tool, args: step.input, id: crypto.randomUUID(), type: 'tool_call' as const };
      model.respond(new AIMessage({ content: '', tool_calls: [call] }));
    }
  }
  const bindTools = model.bindTools.bind(model);
  model.bindTools = (tools) => {
    definitions.push(tools.map(readTool));
    return bindTools(tools);
  };
  const calls = (): readonly ModelCall[] =>
    model.calls.map(({ messages }, index) => [...(definitions[index] ?? []), ...messages.flatMap(readMessage)]);
  return { model, calls };
}

function readTool(bound: unknown): Segment {
  const { name, description, parameters } = convertToOpenAITool(bound as StructuredTool).function;
  return defineTool(name, description, parameters);
}

function readMessage(message: BaseMessage): readonly Segment[] {
  const { text } = message;
  if (SystemMessage.isInstance(message)) return [{ kind: 'system', text }];
  if (HumanMessage.isInstance(message)) return [{ kind: 'user', text }];
  if (ToolMessage.isInstance(message)) return [{ kind: 'result', tool: message.name ?? '', text }];
  if (!AIMessage.isInstance(message)) throw new Error(`A message of the type ${message.type} was not expected.`);
  const calls = message.tool_calls ?? [];
  return [
    ...(text === '' ? [] : [{ kind: 'assistant' as const, text }]),
    ...calls.map(({ name, args }) => ({ kind: 'call' as const, tool: name, text: `${name}${JSON.stringify(args)}` })),
  ];
}

const skillful = contender(ownDefault.about, ownDefault.wording, async (directory) => {
  const toolkit = createToolkit(await loadCatalog([fileSource(directory)]), ownDefault.options);
  return { middleware: [skillsMiddleware(toolkit)], toolkit };
});

/** The agent alone. */
export const bare: Contender = contender(noSkills, noWording, async () => ({ middleware: [] }));

/** With the one file tool that it cannot do without. */
const deepagents = contender(
  {
    library: 'deepagents',
    own: false,
    disclosure: 'listed',
    brings: 'frontmatter, range of lines',
    lacks: 'digest, files',
  },
  {
    activate: (skill) => ({ tool: 'read_file', input: { file_path: `/skills/${skill}/SKILL.md`, limit: 1000 } }),
    read: (skill, path) => ({ tool: 'read_file', input: { file_path: `/skills/${skill}/${path}` } }),
  },
  async (directory) => {
    const backend = new FilesystemBackend({ rootDir: `${directory}/..`, virtualMode: true });
    const middleware = [
      createFilesystemMiddleware({ backend, tools: ['read_file'] }) as unknown as AgentMiddleware,
      createSkillsMiddleware({ backend, sources: ['/skills/'] }) as unknown as AgentMiddleware,
    ];
    return { middleware };
  },
);

export const contenders: readonly Contender[] = [skillful, deepagents];
