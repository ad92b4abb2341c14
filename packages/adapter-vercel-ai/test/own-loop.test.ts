// A loop of one's own, with `prepareModelCall`: the contracts of an adapter, and what only such a loop can do.

import { fileURLToPath } from 'node:url';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { testAdapter, testSession } from '@skillful/testing';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { generateText, type ModelMessage, type ToolCallRepairFunction, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { prepareModelCall } from '../src/index.ts';
import { lookup, publish } from './harness.ts';
import { harness } from './loop-harness.ts';
import { isSix, messagesOf, parted, timesIn } from './read.ts';

testAdapter(harness);
testSession(harness.framework, fileURLToPath(new URL('./loop-harness.ts', import.meta.url)));

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\n---\nMAIL-BODY to $ARGUMENTS. See $report.\n',
});
const toolkit = createToolkit(await loadCatalog([source]));
const activate = { tool: 'activate_skill', input: { name: 'report' } };
const done = { text: 'Done.' };
const user = (content: string): ModelMessage => ({ role: 'user', content });

describe('prepareModelCall', () => {
  it('finds in the conversation what the model no longer reads, and returns the state and what is active', async () => {
    const conversation = [user('/mail bob'), { role: 'assistant' as const, content: 'Done.' }, user('Go on.')];
    const model = scriptedModel([done]);
    const call = { messages: conversation.slice(-1), conversation, model };
    const { state, active, ...settings } = await prepareModelCall(toolkit, call);
    await generateText({ model, ...settings });
    expect(parted(model).said).toMatch(/Go on\.[\s\S]*MAIL-BODY to \(given earlier in the conversation\)/);
    expect(active).toEqual([expect.objectContaining({ name: 'mail', by: 'user' })]);
    expect(Object.keys(state.skills)).toEqual(['mail']);
  });

  it('takes what it added to an earlier call for no part of the conversation', async () => {
    const answer = { role: 'assistant' as const, content: 'Done.' };
    const said = [user('Hi.'), answer, user('/mail bob')];
    const first = await prepareModelCall(toolkit, { messages: said, instructions: '' });
    expect(first.instructions).toMatch(/^\S/);
    const later = (earlier: readonly ModelMessage[]) => {
      const conversation = [...earlier, answer, user('Go on.')];
      return prepareModelCall(toolkit, { messages: conversation.slice(-3), conversation, state: first.state });
    };
    const { messages } = await later(first.messages);
    const { messages: expected } = await later(said);
    expect(messages).toEqual(expected);
  });

  it.skipIf(isSix)('asks what the application’s own `toolApproval` asks', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'lookup', input: { query: 'q' } }] }]);
    const toolApproval = { lookup: { type: 'user-approval' as const, reason: 'Look up?' } };
    const messages = [user('Hi.')];
    const settings = await prepareModelCall(toolkit, { messages, tools: { lookup }, toolApproval });
    const { content } = await generateText({ model, ...settings });
    expect(content.at(-1)).toMatchObject({ type: 'tool-approval-request', reason: 'Look up?' });
  });

  it('lets the application repair a call first', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'report', input: {} }] }]);
    const repairToolCall: ToolCallRepairFunction<ToolSet> = async ({ toolCall }) => ({
      ...toolCall,
      toolName: 'lookup',
    });
    const settings = await prepareModelCall(toolkit, { messages: [user('Hi.')], tools: { lookup }, repairToolCall });
    const { toolCalls } = await generateText({ model, ...settings });
    expect(toolCalls.map(({ toolName }) => toolName)).toEqual(['lookup']);
  });

  it('offers the model what the application and the skills leave', async () => {
    const model = scriptedModel([done, done]);
    const all = { messages: [user('Hi.')], tools: { lookup, publish } };
    const some = { ...all, activeTools: ['lookup' as const] };
    for (const call of [all, some]) await generateText({ model, ...(await prepareModelCall(toolkit, call)) });
    expect(observedCalls(model).map(({ tools, system }) => [...tools.map(({ name }) => name), system !== ''])).toEqual([
      ['lookup', 'publish', 'activate_skill', true],
      ['lookup', false],
    ]);
  });

  it('lets the application run the tools itself, later and elsewhere', async () => {
    const messages: ModelMessage[] = [user('Make a report.')];
    const model = scriptedModel([{ calls: [{ ...activate, id: '1' }] }, done]);
    const { tools, ...settings } = await prepareModelCall(toolkit, { messages });
    const described: ToolSet = Object.fromEntries(
      Object.entries(tools).map(([name, { execute, ...described }]) => [name, described as ToolSet[string]]),
    );
    messages.push(...(await messagesOf(await generateText({ model, ...settings, tools: described }))));
    const { tools: later } = await prepareModelCall(toolkit, { messages });
    const { execute, toModelOutput } = later.activate_skill;
    const [toolCallId, input] = ['1', activate.input];
    const options = { toolCallId, messages, context: {} };
    const output = JSON.parse(JSON.stringify(await execute?.(input, options)));
    const result = { type: 'tool-result' as const, toolCallId, toolName: 'activate_skill' };
    const read = (await toModelOutput?.({ toolCallId, input, output })) ?? { type: 'text', value: '' };
    messages.push({ role: 'tool', content: [{ ...result, output: read }] });
    const { state, active, ...next } = await prepareModelCall(toolkit, { messages });
    await generateText({ model, ...next });
    expect(timesIn(parted(model).said, 'REPORT-BODY')).toBe(1);
    expect([Object.keys(state.skills), active.map(({ by }) => by)]).toEqual([['report'], ['model']]);
  });

  it('reads a conversation that a tool passes on as it was before skills changed it', async () => {
    const said = [user('/mail')];
    const { messages } = await prepareModelCall(toolkit, { messages: said });
    expect(messages).not.toEqual(said);
    expect((await prepareModelCall(toolkit, { messages })).messages).toEqual(messages);
    const last = [user('Go on.')];
    const read = async (before: ModelMessage[]) => {
      const call = { messages: last, conversation: [...before, ...last] };
      const { messages, state } = await prepareModelCall(toolkit, call);
      return { messages, key: state.skills['mail']?.key };
    };
    expect(await read(messages)).toEqual(await read(said));
  });

  it.each([
    ['openai/gpt-5', 1],
    ['deepseek/deepseek-chat', 0],
    [{ provider: 'gateway', modelId: 'openai/gpt-5' }, 1],
    [{ provider: 'gateway', modelId: 'deepseek/deepseek-chat' }, 0],
  ])('sends a file only to a model that can read it: %j', async (model, files) => {
    const call = { toolCallId: '1', toolName: 'read_skill_resource' };
    const output = {
      type: 'content' as const,
      value: [
        { type: 'text' as const, text: 'A seal.' },
        { type: 'file-data' as const, mediaType: 'image/png', data: 'c2VhbA==' },
      ],
    };
    const messages: ModelMessage[] = [
      user('Hi.'),
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { skill: 'report', path: 'seal.png' } }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    ];
    const prepared = await prepareModelCall(toolkit, { messages, model });
    expect(timesIn(JSON.stringify(prepared.messages), 'c2VhbA==')).toBe(files);
  });

  it('rejects a tool of the application with the name of a skill tool', async () => {
    const call = { messages: [user('Hi.')], tools: { activate_skill: lookup } };
    await expect(prepareModelCall(toolkit, call)).rejects.toMatchObject({ code: 'options-invalid' });
  });
});
