// Proves that a Mastra workflow whose step calls a model itself keeps skills, with the adapter for the AI SDK.

import { join } from 'node:path';
import { MessageList } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { prepareModelCall } from '@skillful/vercel-ai';
import { generateText, type ModelMessage } from 'ai';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { temporaryDirectory } from './temporary.ts';

const toolkit = createToolkit(
  await loadCatalog([
    memorySource({
      'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
      'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
    }),
  ]),
);
const url = `file:${join(temporaryDirectory(), 'workflow.db')}`;
const resourceId = 'ann';
const key = { threadId: 'one', resourceId, type: 'skills' };

/** Runs the workflow once, as a new process would: only the storage is left of earlier runs, or only the state in it. */
async function runOnce(words: string, script: Parameters<typeof scriptedModel>[0], forgets = false) {
  const storage = new LibSQLStore({ id: 'workflow', url });
  const memory = new Memory({ storage });
  const model = scriptedModel(script);
  const answer = createStep({
    id: 'answer',
    inputSchema: z.object({ words: z.string() }),
    outputSchema: z.object({ active: z.array(z.string()) }),
    async execute({ inputData }) {
      const { threadId } = key;
      if (!(await memory.getThreadById({ threadId }))) await memory.createThread({ threadId, resourceId });
      const states = await storage.getStore('threadState');
      const { messages: stored } = await memory.recall({ threadId, perPage: false });
      const list = new MessageList({ threadId, resourceId })
        .add(forgets ? [] : stored, 'memory')
        .add(inputData.words, 'input');
      for (;;) {
        const messages = list.get.all.aiV5.model() as ModelMessage[];
        const known = toolkit.merge(await states?.getState(key));
        const { state, active, ...settings } = await prepareModelCall(toolkit, { messages, model, state: known });
        await states?.setState({ ...key, value: state });
        const { finishReason, responseMessages } = await generateText({ model, ...settings });
        list.add(responseMessages as Parameters<typeof list.add>[0], 'response');
        if (finishReason === 'tool-calls') continue;
        await memory.saveMessages({ messages: list.drainUnsavedMessages() });
        return { active: active.map(({ name, by }) => `${name} by ${by}`) };
      }
    },
  });
  const { inputSchema, outputSchema } = answer;
  const workflow = createWorkflow({ id: 'chat', inputSchema, outputSchema }).then(answer).commit();
  new Mastra({ workflows: { workflow }, storage, logger: false });
  const outcome = await (await workflow.createRun()).start({ inputData: { words } });
  return { outcome, calls: observedCalls(model) };
}

it('a skill that began in the first run is active in the second: its text once, in the same place, as the same bytes', async () => {
  const begin = { calls: [{ tool: 'activate_skill', input: { name: 'report' } }] };
  const active = ['notes by user', 'report by model'];
  const first = await runOnce('/notes', [begin, { text: 'Done.' }]);
  const second = await runOnce('Go on.', [begin, { text: 'Done.' }]);
  for (const { outcome } of [first, second]) expect(outcome).toMatchObject({ status: 'success', result: { active } });
  const [before, ...after] = [first.calls[1], ...second.calls];
  const prefix = before?.messages ?? [];
  expect(prefix.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  for (const call of after) {
    expect([call.system, call.messages.slice(0, prefix.length)]).toEqual([before?.system, prefix]);
    const said = JSON.stringify(call.messages);
    expect([said.split('NOTES-BODY').length, said.split('REPORT-BODY').length]).toEqual([2, 2]);
  }
  expect(after[1]?.results.at(-1)).toContain('Already active: follow it.');
  const third = await runOnce('And now?', [{ text: 'Done.' }], true);
  expect(third.outcome).toMatchObject({ result: { active } });
  expect(third.calls[0]?.messages).toEqual([{ role: 'user', text: expect.stringMatching(/REPORT-BODY.*NOTES-BODY/s) }]);
});
