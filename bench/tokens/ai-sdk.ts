// Sessions in the AI SDK: a ToolLoopAgent with these skills, and with those of bash-tool.

import { createToolkit, loadCatalog, type SkillState } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { decide, withSkills } from '@skillful/vercel-ai';
import { isStepCount, jsonSchema, type ModelMessage, pruneMessages, ToolLoopAgent, type ToolSet, tool } from 'ai';
import { createBashTool, experimental_createSkillTool as createSkillTool } from 'bash-tool';
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
import { type ScriptedModel, scriptedModel } from './mock-model.ts';
import { type OwnUse, ownDefault, ownElements } from './own.ts';

const lookupTool = tool({
  description: lookup.description,
  inputSchema: jsonSchema<{ query: string }>(lookup.parameters),
  execute: async ({ query }) => lookup.answer(query),
});

/** All but the calls of tools in the last messages are pruned before each model call. */
function prepareStep({ messages }: { readonly messages: ModelMessage[] }): { messages: ModelMessage[] } {
  return { messages: pruneMessages({ messages, toolCalls: 'before-last-6-messages' }) };
}

/** What a session needs of an agent, whatever its tools. */
interface Agent {
  generate(call: {
    readonly messages: ModelMessage[];
  }): Promise<{ readonly responseMessages: readonly ModelMessage[] }>;
  activate?(skill: string, messages: readonly ModelMessage[]): Promise<void>;
}
type CreateAgent = (scripted: ScriptedModel, options: ConversationOptions) => Promise<Agent>;

function settingsOf({ model }: ScriptedModel, { compaction }: ConversationOptions) {
  return {
    model,
    instructions: applicationPrompt,
    tools: { lookup: lookupTool } as ToolSet,
    stopWhen: isStepCount(10),
    ...(compaction ? { prepareStep } : {}),
  };
}

function contender(about: About, wording: Wording, createAgent: CreateAgent): Contender {
  async function converse(options: ConversationOptions, messages: ModelMessage[]): Promise<Conversation> {
    const scripted = scriptedModel(wording);
    const agent = await createAgent(scripted, options);
    const { activate } = agent;
    return {
      async say(user, acts) {
        scripted.play(acts);
        messages.push({ role: 'user', content: user });
        messages.push(...(await agent.generate({ messages })).responseMessages);
        return scripted.takeCalls();
      },
      shorten: async () => void messages.splice(0, messages.length - remainingMessages),
      ...(activate && { activate: (skill) => activate(skill, messages) }),
      restart: () => converse(options, structuredClone(messages)),
    };
  }
  return { ...about, framework: 'AI SDK', open: (options) => converse(options, []) };
}

function skillful({ about, wording, options: toolkitOptions }: OwnUse): Contender {
  return contender(about, wording, async (scripted, options) => {
    const toolkit = createToolkit(await loadCatalog([fileSource(options.directory)]), toolkitOptions);
    let state: SkillState | undefined;
    const onState = (changed: SkillState): void => {
      state = changed;
    };
    return {
      generate: (call) =>
        new ToolLoopAgent(withSkills(settingsOf(scripted, options), toolkit, { state, onState })).generate(call),
      async activate(skill, messages) {
        state = await decide(toolkit, { activate: [skill] }, messages, { state });
      },
    };
  });
}

const bashTool: About = {
  library: 'bash-tool',
  own: false,
  disclosure: 'listed',
  brings: 'name, description, directory, files; as JSON',
  lacks: 'digest, sizes',
};

const skillToolCall: Wording['activate'] = (skillName) => ({ tool: 'skill', input: { skillName } });

/** As bash-tool's documentation puts them together: the skill tool beside the tools of its sandbox. */
const documented = contender(
  bashTool,
  {
    activate: skillToolCall,
    read: (skill, path) => ({ tool: 'bash', input: { command: `cat skills/${skill}/${path}` } }),
  },
  async (scripted, options) => {
    const { skill, files, instructions } = await createSkillTool({ skillsDirectory: options.directory });
    const { tools } = await createBashTool({ files, extraInstructions: instructions });
    const settings = settingsOf(scripted, options);
    return new ToolLoopAgent({ ...settings, tools: { ...settings.tools, skill, bash: tools.bash } });
  },
);

/** The least that reads a bundled file: the skill tool and the sandbox's reading tool. */
const least = contender(
  { ...bashTool, library: 'bash-tool, without its bash' },
  {
    activate: skillToolCall,
    read: (skill, path) => ({ tool: 'readFile', input: { path: `skills/${skill}/${path}` } }),
  },
  async (scripted, options) => {
    const { skill, files } = await createSkillTool({ skillsDirectory: options.directory });
    const { tools } = await createBashTool({ files });
    const settings = settingsOf(scripted, options);
    return new ToolLoopAgent({ ...settings, tools: { ...settings.tools, skill, readFile: tools.readFile } });
  },
);

/** The agent alone. */
export const bare: Contender = contender(
  noSkills,
  noWording,
  async (scripted, options) => new ToolLoopAgent(settingsOf(scripted, options)),
);

export const contenders: readonly Contender[] = [skillful(ownDefault), documented, least];

/** Another setting, for the comparison of catalogs. */
export const variants: readonly Contender[] = [skillful(ownElements)];
