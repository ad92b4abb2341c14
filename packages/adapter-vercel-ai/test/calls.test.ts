// What a tool call knows about its model call, its conversation and the other calls of its answer.

import { type Catalog, createToolkit, loadCatalog, memorySource, type SkillSource } from '@skillful/core';
import { scriptedModel } from '@skillful/testing/ai-sdk';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { decide, prepareModelCall, skillTools, withSkills } from '../src/index.ts';
import { messagesOf, read, timesIn } from './read.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\nallowed-tools: publish\n---\nREPORT-BODY\n',
  'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\n---\nMAIL-BODY\n',
});
const catalog = await loadCatalog([source]);
const toolkit = createToolkit(catalog);
const activate = (name: string) => ({ tool: 'activate_skill', input: { name } });
const done = { text: 'Done.' };
const stopWhen = stepCountIs(3);
const user = (content: string): ModelMessage => ({ role: 'user', content });

/** A toolkit that counts how often it asks for the catalog. */
function createCounting() {
  const asked: unknown[] = [];
  const counting = createToolkit(({ request }): Catalog => {
    asked.push(request);
    return catalog;
  });
  return { asked, counting };
}

describe('the calls of one answer', () => {
  it('use the catalog of their model call, even one with the name of a skill', async () => {
    const { asked, counting } = createCounting();
    const model = scriptedModel([{ calls: [activate('report'), { tool: 'mail', input: {} }] }, done]);
    await generateText({ ...withSkills({ model, stopWhen }, counting), prompt: 'Hi.' });
    expect(asked).toHaveLength(2);
    expect(timesIn(read(model)[1], 'MAIL-BODY')).toBe(1);
  });

  it('use one catalog without `withSkills`, too', async () => {
    const { asked, counting } = createCounting();
    const model = scriptedModel([{ calls: [activate('report'), activate('mail')] }, done]);
    await generateText({ model, tools: skillTools(counting), stopWhen, prompt: 'Hi.' });
    expect(timesIn(read(model)[1], 'MAIL-BODY')).toBe(1);
    expect(asked).toHaveLength(1);
  });

  it('are not limited by a skill that an earlier answer activated, and that has ended', async () => {
    const restricting = createToolkit(catalog, { allowedTools: { mode: 'restrict' } });
    const lookup = tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: async () => 'found' });
    const messages = [user('Hi.')];
    const first = scriptedModel([{ calls: [activate('report')] }, done]);
    messages.push(
      ...(await messagesOf(await generateText({ ...withSkills({ model: first, stopWhen }, restricting), messages }))),
    );
    const state = await decide(restricting, { deactivate: ['report'] }, messages);
    messages.push(user('Look it up.'));
    const model = scriptedModel([{ calls: [{ tool: 'lookup', input: {} }] }]);
    const settings = await prepareModelCall(restricting, { messages, tools: { lookup }, state });
    const { toolResults } = await generateText({ model, ...settings });
    expect(toolResults.map(({ output }) => output)).toEqual(['found']);
  });
});

describe('a call of a skill tool', () => {
  it('knows the conversation as it is now, although its last message was there before', async () => {
    const last = user('Make a report.');
    const before = [user('Hi.')];
    const tools = skillTools(toolkit);
    const first = scriptedModel([{ calls: [activate('report')] }, done]);
    before.push(...(await messagesOf(await generateText({ model: first, tools, stopWhen, messages: before }))));
    const model = scriptedModel([{ calls: [activate('report')] }, done, { calls: [activate('report')] }, done]);
    for (const messages of [[...before, last], [last]]) await generateText({ model, tools, stopWhen, messages });
    expect(timesIn(read(model)[3], 'REPORT-BODY')).toBe(1);
  });

  it.each(['options', 'call'])('stops with the signal of the %s', async (place) => {
    const controller = new AbortController();
    const seen: (boolean | undefined)[] = [];
    const stopping: SkillSource = {
      ...source,
      readFile(skill, path, options) {
        controller.abort(new Error('Stop.'));
        seen.push(options?.signal?.aborted);
        return source.readFile(skill, path, options);
      },
    };
    const stopped = createToolkit(await loadCatalog([stopping]));
    const model = scriptedModel([{ calls: [activate('report')] }, done]);
    const { signal } = controller;
    const settings = withSkills({ model, stopWhen }, stopped, place === 'options' ? { signal } : {});
    const call = { prompt: 'Hi.', ...(place === 'call' && { abortSignal: signal }) };
    await generateText({ ...settings, ...call }).catch(() => {});
    expect(seen[0]).toBe(true);
  });

  it('waits for no catalog once the signal of the settings is aborted', async () => {
    const controller = new AbortController();
    const stopped = createToolkit(() => {
      controller.abort(new Error('Stop.'));
      return new Promise<never>(() => {});
    });
    const settings = withSkills({ model: scriptedModel([done]), abortSignal: controller.signal }, stopped);
    await expect(generateText({ ...settings, prompt: 'Hi.' })).rejects.toThrow('Stop.');
  });

  it('that comes back from a browser is repeated for the same request', async () => {
    const { asked, counting } = createCounting();
    const { activate_skill } = skillTools(counting, { request: 'north' });
    const output = JSON.parse('{ "kind": "activation" }');
    await activate_skill.toModelOutput?.({ toolCallId: '1', input: { name: 'report' }, output });
    expect(asked).toEqual(['north']);
  });
});
