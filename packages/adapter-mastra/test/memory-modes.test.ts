// Skills next to everything that Mastra's memory puts into a conversation, or takes out of it, on a database on disk.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import type { MemoryConfig } from '@mastra/core/memory';
import { LibSQLStore, LibSQLVector } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { expect, it, onTestFinished } from 'vitest';
import { activeSkills, decide, withSkills } from '../src/index.ts';

const catalog = await loadCatalog([
  memorySource({
    'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
    'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
    'plan/SKILL.md': '---\nname: plan\ndescription: Plans.\n---\nPLAN-BODY\n',
  }),
]);
const toolkit = createToolkit(catalog);
const done = { text: 'Done.' };
const asConfig = (model: ReturnType<typeof scriptedModel>): MastraModelConfig => model as unknown as MastraModelConfig;

/** Always answers with one observation, as a small model does that sums up a conversation. */
const observer = () =>
  asConfig(
    scriptedModel(
      Array.from({ length: 50 }, () => ({ text: '<observations>\n* User said OBSERVED.\n</observations>' })),
    ),
  );

const modes: readonly [string, MemoryConfig, RegExp | undefined][] = [
  ['no history', { lastMessages: false }, undefined],
  ['the last messages', { lastMessages: 2 }, undefined],
  ['a token budget', { messageHistory: { maxTokens: 40 } }, undefined],
  ['semantic recall', { lastMessages: 2, semanticRecall: { topK: 2, messageRange: 1 } }, undefined],
  [
    'semantic recall of a resource',
    { lastMessages: 2, semanticRecall: { topK: 2, messageRange: 1, scope: 'resource' } },
    undefined,
  ],
  [
    'working memory as a template',
    { lastMessages: 2, workingMemory: { enabled: true, template: '# Person\n- NAME-FIELD:' } },
    /NAME-FIELD/,
  ],
  [
    'working memory as a schema',
    {
      lastMessages: 2,
      workingMemory: { enabled: true, schema: { type: 'object', properties: { nameField: { type: 'string' } } } },
    },
    /nameField/,
  ],
  [
    'observational memory',
    { observationalMemory: { model: observer(), observation: { messageTokens: 30, bufferTokens: false } } },
    /OBSERVED/,
  ],
];

it.each(modes)('%s loses no skill and doubles none', async (_, options, said) => {
  const directory = mkdtempSync(join(tmpdir(), 'skillful-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const url = `file:${join(directory, 'memory.db')}`;
  const vector = new LibSQLVector({ id: 'vector', url });
  const open = () =>
    new Memory({
      storage: new LibSQLStore({ id: 'memory', url }),
      vector,
      embedder: {
        specificationVersion: 'v2',
        provider: 'stub',
        modelId: 'letters',
        maxEmbeddingsPerCall: 100,
        supportsParallelCalls: true,
        doEmbed: async ({ values }) => ({ embeddings: values.map((text) => [text.length, text.split('e').length, 1]) }),
      },
      options,
    });
  const say = async (user: string, script: Parameters<typeof scriptedModel>[0]) => {
    const model = scriptedModel(script);
    const config = {
      id: 'agent',
      name: 'agent',
      instructions: 'You are kind.',
      model: asConfig(model),
      memory: open(),
    };
    const agent = new Agent(withSkills(config, toolkit));
    await agent.generate(user, { maxSteps: 5, memory: { thread: 'one', resource: 'user' } });
    return observedCalls(model);
  };
  const activate = { calls: [{ tool: 'activate_skill', input: { name: 'notes' } }] };
  await say('/report on the weather', [done]);
  await say('Take notes, please.', [activate, done]);
  await decide(toolkit, { activate: ['plan'] }, { memory: open(), threadId: 'one' });
  let last: ReturnType<typeof observedCalls>[number] | undefined;
  for (let turn = 0; turn < 4; turn += 1) {
    [last] = await say(`What is next after the weather of day ${turn}?`, [done]);
    const text = [last?.system, ...(last?.messages ?? []).map(({ text: words }) => words)].join('\n');
    const bodies = ['REPORT-BODY', 'NOTES-BODY', 'PLAN-BODY'].map((body) => text.split(body).length - 1);
    expect([turn, bodies], text).toEqual([turn, [1, 1, 1]]);
    expect(last?.system.split('Writes notes.').length).toBe(2);
    expect(last?.system).not.toMatch(/-BODY/);
  }
  await decide(toolkit, { deactivate: ['report'] }, { memory: open(), threadId: 'one' });
  [last] = await say('How is the weather?', [done]);
  expect(JSON.stringify(last)).not.toContain('REPORT-BODY');
  if (said !== undefined) expect(JSON.stringify(last)).toMatch(said);
  expect(await activeSkills(toolkit, { memory: open(), threadId: 'one' })).toMatchObject([
    { name: 'notes', by: 'model' },
    { name: 'plan', by: 'code' },
  ]);
});
