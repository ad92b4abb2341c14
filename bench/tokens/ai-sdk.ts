// Sessions in the AI SDK: a ToolLoopAgent with these skills, and with those of bash-tool.

import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { withSkills } from '@skillful/vercel-ai';
import { isStepCount, jsonSchema, type ModelMessage, pruneMessages, ToolLoopAgent, type ToolSet, tool } from 'ai';
import { createBashTool, experimental_createSkillTool as createSkillTool } from 'bash-tool';
import {
  type About,
  applicationPrompt,
  type Contender,
  type Conversation,
  type ConversationOptions,
  lookup,
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
    return {
      async say(user, acts) {
        scripted.play(acts);
        messages.push({ role: 'user', content: user });
        messages.push(...(await agent.generate({ messages })).responseMessages);
        return scripted.takeCalls();
      },
      restart: () => converse(options, structuredClone(messages)),
    };
  }
  return { ...about, framework: 'AI SDK', open: (options) => converse(options, []) };
}

function skillful({ about, wording, options: toolkitOptions }: OwnUse): Contender {
  return contender(about, wording, async (scripted, options) => {
    const toolkit = createToolkit(await loadCatalog([fileSource(options.directory)]), toolkitOptions);
    return new ToolLoopAgent(withSkills(settingsOf(scripted, options), toolkit));
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

export const contenders: readonly Contender[] = [skillful(ownDefault), documented, least];

/** Another setting, for the comparison of catalogs. */
export const variants: readonly Contender[] = [skillful(ownElements)];
