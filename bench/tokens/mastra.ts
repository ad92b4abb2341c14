// Sessions in Mastra: an Agent with these skills, and with each of the three kinds of skills of its own.

import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { type InputProcessor, SkillSearchProcessor, TokenLimiterProcessor } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Workspace } from '@mastra/core/workspace';
import { Memory } from '@mastra/memory';
import { createToolkit, loadCatalog, type SkillToolkit } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { decide, withSkills } from '@skillful/mastra';
import {
  type About,
  applicationPrompt,
  type Contender,
  type Conversation,
  type ConversationOptions,
  lookup,
  noSkills,
  noWording,
  remainingMessages,
  type Wording,
} from './contender.ts';
import { scriptedModel } from './mock-model.ts';
import { type OwnUse, ownDefault, ownSearched } from './own.ts';

const lookupTool = createTool({
  id: lookup.name,
  description: lookup.description,
  inputSchema: lookup.parameters,
  execute: async (input) => lookup.answer(String(Object(input).query)),
});

interface WithSkills {
  readonly config: AgentConfig<'colleague'>;
  /** By which the application can activate skills. */
  readonly toolkit?: SkillToolkit;
}
type AddSkills = (config: AgentConfig<'colleague'>, directory: string) => Promise<WithSkills>;

const threadId = 'session';
const resourceId = 'user';

function contender(about: About, wording: Wording, addSkills: AddSkills): Contender {
  async function converse(options: ConversationOptions, storage: InMemoryStore): Promise<Conversation> {
    const scripted = scriptedModel(wording);
    // Mastra bundles older types of the AI SDK, which lack a reason to finish that is never given here.
    const model = scripted.model as unknown as MastraModelConfig;
    const base: AgentConfig<'colleague'> = {
      id: 'colleague',
      name: 'Colleague',
      instructions: applicationPrompt,
      model,
      tools: { lookup: lookupTool },
      inputProcessors: options.compaction ? [new TokenLimiterProcessor(6_000)] : [],
    };
    const memory = new Memory({ storage, options: { lastMessages: options.compaction ? 10 : 1_000 } });
    const { config, toolkit } = await addSkills({ ...base, memory }, options.directory);
    const agent = new Agent(config);
    return {
      async say(user, acts) {
        scripted.play(acts);
        await agent.generate(user, { memory: { thread: threadId, resource: resourceId }, maxSteps: 10 });
        return scripted.takeCalls();
      },
      async shorten() {
        const { messages } = await memory.recall({ threadId, resourceId, perPage: false });
        await memory.deleteMessages(messages.slice(0, -remainingMessages).map(({ id }) => id));
      },
      ...(toolkit && { activate: (skill) => decide(toolkit, { activate: [skill] }, { threadId, resourceId, memory }) }),
      restart: () => converse(options, storage),
    };
  }
  return { ...about, framework: 'Mastra', open: (options) => converse(options, new InMemoryStore()) };
}

function skillful({ about, wording, options }: OwnUse): Contender {
  return contender(about, wording, async (config, directory) => {
    const toolkit = createToolkit(await loadCatalog([fileSource(directory)]), options);
    return { config: withSkills(config, toolkit), toolkit };
  });
}

/** The agent alone. */
export const bare: Contender = contender(noSkills, noWording, async (config) => ({ config }));

const mastraWording: Wording = {
  activate: (name) => ({ tool: 'skill', input: { name } }),
  read: (skillName, path) => ({ tool: 'skill_read', input: { skillName, path } }),
};

const listed = { own: false, disclosure: 'listed', brings: 'files', lacks: 'name, digest, directory, sizes' } as const;

const agentSkills = contender(
  { ...listed, library: 'Mastra, skills of the agent' },
  mastraWording,
  async (config, directory) => ({ config: { ...config, skills: [directory] } }),
);

const workspaceSkills = contender(
  { ...listed, library: 'Mastra, skills of the workspace' },
  mastraWording,
  async (config, directory) => ({ config: { ...config, workspace: new Workspace({ skills: [directory] }) } }),
);

/** Names no skill in the prompt; what is loaded is kept in the process and put into every prompt. */
const searchedSkills = contender(
  {
    library: 'Mastra, SkillSearchProcessor',
    own: false,
    disclosure: 'searched',
    brings: 'name',
    lacks: 'digest, directory, files',
  },
  {
    ...mastraWording,
    find: (query) => ({ tool: 'search_skills', input: { query } }),
    activate: (skillName) => ({ tool: 'load_skill', input: { skillName } }),
  },
  async (config, directory) => {
    // Without an index its search finds whole phrases only; the workspace's own tools are not needed.
    const workspace = new Workspace({ skills: [directory], bm25: true, tools: { enabled: false } });
    // Its optional property may be undefined, which the interface that it implements does not allow.
    const search = new SkillSearchProcessor({ workspace, blockingRefresh: true }) as unknown as InputProcessor;
    const given = Array.isArray(config.inputProcessors) ? config.inputProcessors : [];
    return { config: { ...config, workspace, inputProcessors: [...given, search] } };
  },
);

export const contenders: readonly Contender[] = [
  skillful(ownDefault),
  agentSkills,
  workspaceSkills,
  skillful(ownSearched),
  searchedSkills,
];
