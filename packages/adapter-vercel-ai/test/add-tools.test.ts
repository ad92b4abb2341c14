// What skills do to the tools of an application, and what they leave alone.

import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { generateText, jsonSchema, stepCountIs, type Tool, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { withSkills } from '../src/index.ts';
import { isSix } from './read.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'search/SKILL.md': '---\nname: search\ndescription: Looks up.\nallowed-tools: lookup\n---\nSEARCH-BODY\n',
});
const catalog = await loadCatalog([source]);
const free = createToolkit(catalog);
const restricting = createToolkit(catalog, { allowedTools: { mode: 'restrict' } });

const inputSchema = jsonSchema<object>({ type: 'object', properties: {} });
const publish = tool({ inputSchema, execute: async () => 'published' });
const calls = [{ tool: 'publish', input: {} }];
const activate = { tool: 'activate_skill', input: { name: 'search' } };
const done = { text: 'Done.' };
const stopWhen = stepCountIs(3);

describe('a tool of the application', () => {
  it('stays as it is if no skill can refuse its calls', () => {
    expect(withSkills({ tools: { publish } }, free).tools.publish).toBe(publish);
  });

  it('may be an object of a class if skills can refuse its calls', async () => {
    class Publish {
      readonly inputSchema = inputSchema;
      readonly #result = 'published';
      get description() {
        return 'Publishes.';
      }
      async execute() {
        return this.#result;
      }
    }
    const model = scriptedModel([{ calls }, done]);
    const settings = withSkills({ model, tools: { publish: new Publish() as Tool }, stopWhen }, restricting);
    await generateText({ ...settings, prompt: 'Hi.' });
    const [first, second] = observedCalls(model);
    expect([first?.tools[0]?.description, second?.results]).toEqual(['Publishes.', ['published']]);
  });

  it('may run in the browser if skills can refuse its calls', async () => {
    const model = scriptedModel([{ calls }]);
    const settings = withSkills({ model, tools: { publish: tool({ inputSchema }) }, stopWhen }, restricting);
    const { content } = await generateText({ ...settings, prompt: 'Hi.' });
    expect(content.map(({ type }) => type)).toEqual(['tool-call']);
  });

  // The AI SDK 6 sends such a call to the browser, because it asks only whether the call needs an approval.
  it.skipIf(isSix)('does not run in the browser if a skill refuses the call', async () => {
    const model = scriptedModel([{ calls: [activate, ...calls] }, done]);
    const settings = withSkills({ model, tools: { publish: tool({ inputSchema }) }, stopWhen }, restricting);
    const { text } = await generateText({ ...settings, prompt: 'Hi.' });
    expect(text).toBe('Done.');
    expect(observedCalls(model)[1]?.results[1]).toMatch(/^The active skills do not allow this call of `publish`/);
  });

  it('is still offered if it is added to settings with skills', async () => {
    const model = scriptedModel([done]);
    const { tools, ...settings } = withSkills({ model }, free);
    await generateText({ ...settings, tools: { ...tools, publish }, prompt: 'Hi.' });
    expect(observedCalls(model)[0]?.tools.map(({ name }) => name)).toContain('publish');
  });
});

describe.skipIf(isSix)('the `toolApproval` of the application', () => {
  it.each([
    ['a status', { publish: 'user-approval' as const }],
    [
      'a function',
      ({ toolCall }: { toolCall: { toolName: string } }) =>
        toolCall.toolName === 'publish' ? ('user-approval' as const) : undefined,
    ],
  ])('asks no one about a call that a skill refuses: %s', async (_, toolApproval) => {
    const model = scriptedModel([{ calls: [activate, ...calls] }]);
    const settings = withSkills({ model, tools: { publish }, toolApproval }, restricting);
    const { content } = await generateText({ ...settings, prompt: 'Hi.' });
    const asked = content.flatMap((part) =>
      part.type === 'tool-approval-request' && part.isAutomatic !== true ? [part.toolCall.toolName] : [],
    );
    expect(asked).toEqual([]);
  });

  it('and the `needsApproval` of a tool receive the context of the tool', async () => {
    const contextSchema = jsonSchema<{ key: string }>({ type: 'object', properties: { key: { type: 'string' } } });
    const seen: unknown[] = [];
    const own = tool({
      inputSchema,
      contextSchema,
      needsApproval: (_, { context }) => seen.push(context) > 9,
      execute: async () => 'published',
    });
    const tools = { publish: own, other: own };
    const toolsContext = { publish: { key: 'a' }, other: { key: 'b' } };
    const toolApproval = {
      other: (_: object, { toolContext }: { toolContext: unknown }) => void seen.push(toolContext),
    };
    const model = scriptedModel([{ calls: [...calls, { tool: 'other', input: {} }] }, done]);
    await generateText({ ...withSkills({ model, tools, toolsContext, toolApproval, stopWhen }, free), prompt: 'Hi.' });
    expect(seen).toEqual([{ key: 'a' }, { key: 'b' }]);
  });
});

describe('a skill’s name called as a tool', () => {
  it.each(['repairToolCall', 'experimental_repairToolCall'])(
    'is corrected after the application’s own `%s`',
    async (name) => {
      const repaired: string[] = [];
      const repair = async ({ toolCall }: { toolCall: { toolName: string } }) => {
        repaired.push(toolCall.toolName);
        return null;
      };
      const model = scriptedModel([{ calls: [{ tool: 'report', input: {} }] }, done]);
      const own: object = { [name]: repair };
      await generateText({ ...withSkills({ model, stopWhen, ...own }, free), prompt: 'Hi.' });
      expect(repaired).toEqual(['report']);
      expect(observedCalls(model)[1]?.results).toEqual([expect.stringContaining('REPORT-BODY')]);
    },
  );

  it('keeps what the provider added to the call', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'report', input: {} }] }, done]);
    const { doGenerate } = model;
    model.doGenerate = async (options) => {
      const { content, ...result } = await doGenerate(options);
      const providerMetadata = { google: { thoughtSignature: 'signed' } };
      return { ...result, content: content.map((part) => ({ ...part, providerMetadata })) };
    };
    await generateText({ ...withSkills({ model, stopWhen }, free), prompt: 'Hi.' });
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('signed');
  });
});
