// Offline, an agent whose skills are wired up wrongly does not get away with it, in any framework.

import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { createToolkit, loadCatalog, type SkillToolkit } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import * as langchain from '@skillful/langchain';
import * as mastra from '@skillful/mastra';
import * as vercelAi from '@skillful/vercel-ai';
import { ToolLoopAgent, wrapLanguageModel } from 'ai';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import * as ai from '../stand-in/ai.ts';
import { standInModel } from '../stand-in/langchain.ts';

const request = 'Review our API';
const catalog = await loadCatalog([fileSource(`${import.meta.dirname}/../skills`)]);
const toolkit = createToolkit(catalog);

const [activate, read] = toolkit.tools;
if (activate === undefined || read === undefined) throw new Error('The toolkit lacks a tool.');
const broken: typeof read = {
  ...read,
  execute: async () => ({
    text: 'The disk is gone.',
    files: [],
    isError: true,
    details: { kind: 'refusal', code: 'broken' },
  }),
};
const tools = [activate, broken];
const brokenToolkit: SkillToolkit = { ...toolkit, tools };

interface Wiring {
  readonly withoutCatalog: () => Promise<unknown>;
  readonly withoutTools: () => Promise<unknown>;
  readonly whole: (toolkit: SkillToolkit) => Promise<unknown>;
}

const messages = [{ role: 'user', content: request }];
const mastraModel = () => ai.standInModel() as MastraModelConfig;
const named = { id: 'a', name: 'a', instructions: 'Be kind.' };

const wirings: Readonly<Record<string, Wiring>> = {
  LangChain: {
    withoutCatalog: () =>
      createAgent({ model: standInModel(), tools: langchain.skillTools(toolkit) }).invoke({ messages }),
    withoutTools: async () => {
      const { system } = await toolkit.prepare([]);
      return createAgent({ model: standInModel(), systemPrompt: system }).invoke({ messages });
    },
    whole: (given) =>
      createAgent({ model: standInModel(), middleware: [langchain.skillsMiddleware(given)] }).invoke({ messages }),
  },
  'Vercel AI SDK': {
    withoutCatalog: () =>
      new ToolLoopAgent({ model: ai.standInModel(), tools: vercelAi.skillTools(toolkit) }).generate({
        prompt: request,
      }),
    withoutTools: () => {
      const model = wrapLanguageModel({ model: ai.standInModel(), middleware: vercelAi.skillsMiddleware(toolkit) });
      return new ToolLoopAgent({ model }).generate({ prompt: request });
    },
    whole: (given) =>
      new ToolLoopAgent(vercelAi.withSkills({ model: ai.standInModel() }, given)).generate({ prompt: request }),
  },
  Mastra: {
    withoutCatalog: () =>
      new Agent({ ...named, model: mastraModel(), tools: mastra.skillTools(toolkit) }).generate(request),
    withoutTools: () =>
      new Agent({ ...named, model: mastraModel(), inputProcessors: [mastra.skillsProcessor(toolkit)] }).generate(
        request,
      ),
    whole: (given) => new Agent(mastra.withSkills({ ...named, model: mastraModel() }, given)).generate(request),
  },
};

describe.each(Object.entries(wirings))('%s', (framework, { withoutCatalog, withoutTools, whole }) => {
  test('fails without the catalog in the prompt', async () => {
    await expect(withoutCatalog()).rejects.toThrow('The catalog of skills is not in the system prompt.');
  });

  // The prompt of LangChain is written by hand here; the other two adapters leave the catalog out of it.
  const withoutToolsError =
    framework === 'LangChain'
      ? 'No tool takes name. The tools are: none.'
      : 'The catalog of skills is not in the system prompt.';

  test('fails without the tools, which the prompt then does not mention either', async () => {
    await expect(withoutTools()).rejects.toThrow(withoutToolsError);
  });

  test('fails with a tool that does not do its work', async () => {
    await expect(whole(brokenToolkit)).rejects.toThrow('Reading references/naming.md failed: The disk is gone.');
  });

  test('succeeds with everything in place', async () => {
    await expect(whole(toolkit)).resolves.toBeDefined();
  });
});
