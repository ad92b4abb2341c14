// Tools that call other tools, such as the code mode of the AI SDK 7, which tells the model about them in a message of its own.

import { createToolkit, definePolicy, loadCatalog, memorySource } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import * as sdk from 'ai';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { withSkills } from '../src/index.ts';
import { isSix, messagesOf, read, timesIn } from './read.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\n---\nMAIL-BODY\n',
});
const catalog = await loadCatalog([source]);
const policy = definePolicy({ rules: [{ skill: 'report', actor: 'model', action: 'activate', effect: 'ask' }] });
const inputSchema = jsonSchema<object>({ type: 'object', properties: {} });
const activate = (name: string) => ({ tool: 'activate_skill', input: { name } });

/** A tool that can call `lookup`, and says what it can call. */
const createTools = (more = '') => ({
  code: sdk.experimental_toolCaller(tool({ inputSchema, execute: async () => 'unbound' }), {
    type: 'local',
    bind: (tools) => tool({ inputSchema, execute: async () => Object.keys(tools).join() }),
    prepareModelMessage: (tools) => `In code, you can call ${Object.keys(tools).join()}.${more}`,
  }),
  lookup: tool({ inputSchema, execute: async () => 'found' }),
});
const experimental_toolCallers = { lookup: ['code' as const] };
const stopWhen = stepCountIs(2);

describe.skipIf(isSix)('a tool that calls others', () => {
  it('does not hide that calls belong to one model call, and that their question was answered', async () => {
    let asked = 0;
    const toolkit = createToolkit(
      () => {
        asked += 1;
        return catalog;
      },
      { policy },
    );
    const model = scriptedModel([{ calls: [activate('report'), activate('mail')] }, { text: 'Done.' }]);
    const settings = withSkills({ model, tools: createTools(), stopWhen }, toolkit);
    const messages: ModelMessage[] = [{ role: 'user', content: '/mail' }];
    const answer = await generateText({ ...settings, experimental_toolCallers, messages });
    expect(asked).toBe(1);
    messages.push(...(await messagesOf(answer)));
    const approvals = answer.content.filter((part) => part.type === 'tool-approval-request');
    const type = 'tool-approval-response' as const;
    messages.push({ role: 'tool', content: approvals.map(({ approvalId }) => ({ type, approvalId, approved: true })) });
    await generateText({ ...settings, experimental_toolCallers, messages });
    expect(read(model).map((call) => [timesIn(call, 'REPORT-BODY'), timesIn(call, 'MAIL-BODY')])).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  it('still calls them if skills may refuse calls', async () => {
    const toolkit = createToolkit(catalog, { allowedTools: { mode: 'restrict' } });
    const model = scriptedModel([{ calls: [{ tool: 'code', input: {} }] }, { text: 'Done.' }]);
    const settings = withSkills({ model, tools: createTools(), stopWhen }, toolkit);
    await generateText({ ...settings, experimental_toolCallers, prompt: 'Hi.' });
    const [, second] = observedCalls(model);
    expect(second?.tools.map(({ name }) => name)).toEqual(['code', 'activate_skill']);
    expect(second?.results).toEqual(['lookup']);
  });

  it('activates no skill with what it says to the model, because no person wrote it', async () => {
    const toolkit = createToolkit(catalog);
    const model = scriptedModel([
      { calls: [{ tool: 'code', input: {} }] },
      { calls: [{ tool: 'code', input: {} }] },
      { text: 'Done.' },
    ]);
    // Also if it is the only message in the role of a user, and the instructions of a skill have lost their place.
    const prepareStep = ({ messages }: { messages: ModelMessage[] }) => ({
      messages: messages.length === 1 ? messages : messages.filter(({ content }) => content !== '/report'),
    });
    const settings = withSkills({ model, tools: createTools(' Use $mail.'), prepareStep }, toolkit);
    await generateText({ ...settings, experimental_toolCallers, stopWhen: stepCountIs(3), prompt: '/report' });
    expect(read(model).map((call) => [timesIn(call, 'MAIL-BODY'), timesIn(call, 'Use $mail.')])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
  });
});
