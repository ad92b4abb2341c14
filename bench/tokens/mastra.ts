// Sessions in Mastra: an Agent with these skills, and with each of the three kinds of skills of its own.

import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { type InputProcessor, SkillSearchProcessor, TokenLimiterProcessor } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Workspace } from '@mastra/core/workspace';
import { Memory } from '@mastra/memory';
import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { withSkills } from '@skillful/mastra';
import {
  type About,
  applicationPrompt,
  type Contender,
  type Conversation,
  type ConversationOptions,
  lookup,
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

type AddSkills = (config: AgentConfig<'colleague'>, directory: string) => Promise<AgentConfig<'colleague'>>;

function contender(about: About, wording: Wording, addSkills: AddSkills): Contender {
  async function converse(options: ConversationOptions, storage: InMemoryStore): Promise<Conversation> {
    const scripted = scriptedModel(wording);
    // Mastra bundles older types of the AI SDK, which lack a reason to finish that is never given here.
    const model = scripted.model as unknown as MastraModelConfig;
    const config: AgentConfig<'colleague'> = {
      id: 'colleague',
      name: 'Colleague',
      instructions: applicationPrompt,
      model,
      tools: { lookup: lookupTool },
      memory: new Memory({ storage, options: { lastMessages: options.compaction ? 10 : 1_000 } }),
      inputProcessors: options.compaction ? [new TokenLimiterProcessor(6_000)] : [],
    };
    const agent = new Agent(await addSkills(config, options.directory));
    return {
      async say(user, acts) {
        scripted.play(acts);
        await agent.generate(user, { memory: { thread: 'session', resource: 'user' }, maxSteps: 10 });
        return scripted.takeCalls();
      },
      restart: () => converse(options, storage),
    };
  }
  return { ...about, framework: 'Mastra', open: (options) => converse(options, new InMemoryStore()) };
}

function skillful({ about, wording, options }: OwnUse): Contender {
  return contender(about, wording, async (config, directory) =>
    withSkills(config, createToolkit(await loadCatalog([fileSource(directory)]), options)),
  );
}

const mastraWording: Wording = {
  activate: (name) => ({ tool: 'skill', input: { name } }),
  read: (skillName, path) => ({ tool: 'skill_read', input: { skillName, path } }),
};

const listed = { own: false, disclosure: 'listed', brings: 'files', lacks: 'name, digest, directory, sizes' } as const;

const agentSkills = contender(
  { ...listed, library: 'Mastra, skills of the agent' },
  mastraWording,
  async (config, directory) => ({ ...config, skills: [directory] }),
);

const workspaceSkills = contender(
  { ...listed, library: 'Mastra, skills of the workspace' },
  mastraWording,
  async (config, directory) => ({ ...config, workspace: new Workspace({ skills: [directory] }) }),
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
    return { ...config, workspace, inputProcessors: [...given, search] };
  },
);

export const contenders: readonly Contender[] = [
  skillful(ownDefault),
  agentSkills,
  workspaceSkills,
  skillful(ownSearched),
  searchedSkills,
];
