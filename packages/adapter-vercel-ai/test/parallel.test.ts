// Conversations that share messages, settings or a thread, with models that number their calls.

import {
  createToolkit,
  definePolicy,
  loadCatalog,
  memorySource,
  type SkillEvent,
  type SkillToolkit,
} from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, ToolLoopAgent, tool, wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { skillsMiddleware, skillTools, withSkills } from '../src/index.ts';
import { isSix, messagesOf, read, timesIn } from './read.ts';

const skill = (name: string) => `---\nname: ${name}\ndescription: Writes ${name}s.\n---\n${name.toUpperCase()}-BODY\n`;
const mail = { 'mail/SKILL.md': skill('mail') };
const catalog = await loadCatalog([memorySource({ ...mail, 'report/SKILL.md': skill('report') })]);
const policy = definePolicy({ rules: [{ actor: 'model', action: 'activate', effect: 'ask' }] });
const activation = (name: string) => ({ calls: [{ tool: 'activate_skill', input: { name }, id: 'call_1' }] });
const done = { text: 'Done.' };
const stopWhen = stepCountIs(5);
const user = (content: string): ModelMessage => ({ role: 'user', content });

type Answer = Parameters<typeof messagesOf>[0] & { readonly content: readonly object[] };

/** The messages after a person has agreed to all calls of an answer. */
async function agreedTo(before: readonly ModelMessage[], answer: Answer): Promise<ModelMessage[]> {
  const content = answer.content.flatMap((part) => {
    const { type, approvalId } = Object(part);
    return type === 'tool-approval-request'
      ? [{ type: 'tool-approval-response' as const, approvalId, approved: true }]
      : [];
  });
  return [...before, ...(await messagesOf(answer)), { role: 'tool', content }];
}

describe('a call that a person agreed to', () => {
  it('runs as at first, but with the current catalog, if the same messages are sent again after an error', async () => {
    const events: SkillEvent[] = [];
    let now = catalog;
    const options = { policy, consent: { remember: true }, onEvent: (event: SkillEvent) => void events.push(event) };
    const toolkit = createToolkit(() => now, options);
    const models = [activation('report'), undefined, undefined, done].map((turn) => scriptedModel(turn ? [turn] : []));
    const [asking, failing, again, last] = models;
    const settings = withSkills({ stopWhen, maxRetries: 0 }, toolkit);
    const send = (model: typeof asking, messages: readonly ModelMessage[]) =>
      generateText({ ...settings, model: model ?? scriptedModel([]), messages: [...messages] });
    const before = [user('Make a report.')];
    const messages = await agreedTo(before, await send(asking, before));
    for (const model of [failing, again]) await expect(send(model, messages)).rejects.toThrow('The script is over.');
    for (const model of [failing, again])
      expect(observedCalls(model ?? scriptedModel([]))[0]?.results).toEqual([expect.stringContaining('REPORT-BODY')]);
    expect(events.filter(({ type }) => type === 'activated')).toHaveLength(2);
    now = await loadCatalog([memorySource(mail)]);
    await send(last, messages);
    expect(observedCalls(last ?? scriptedModel([]))[0]?.results).toEqual(['No skill `report`. Available: `mail`.']);
  });

  it('is judged anew, too, if it is a call of the application’s tool', async () => {
    let now = catalog;
    const ran: unknown[] = [];
    const publish = tool({
      inputSchema: jsonSchema<object>({ type: 'object' }),
      needsApproval: true,
      execute: async () => ran.push('published'),
    });
    const toolkit = createToolkit(() => now, { unlocks: { report: ['publish'] } });
    const settings = withSkills({ tools: { publish }, stopWhen, maxRetries: 0 }, toolkit);
    const before = [user('/report now')];
    const asking = scriptedModel([{ calls: [{ tool: 'publish', input: {}, id: 'call_1' }] }]);
    const messages = await agreedTo(before, await generateText({ ...settings, model: asking, messages: before }));
    const failing = scriptedModel([]);
    await expect(generateText({ ...settings, model: failing, messages })).rejects.toThrow('The script is over.');
    now = await loadCatalog([memorySource(mail)]);
    await generateText({ ...settings, model: scriptedModel([done]), messages });
    expect(ran).toEqual(['published']);
  });

  it('is told from that of another agent in the same thread', async () => {
    const toolkit = createToolkit(catalog, { policy });
    const open = (name: string) => {
      const model = scriptedModel([activation(name), done]);
      return { model, agent: new ToolLoopAgent(withSkills({ id: name, model }, toolkit, { about: { thread: 't' } })) };
    };
    const [one, other] = [open('mail'), open('report')];
    const before = [user('Write.')];
    const sent = [];
    for (const { agent } of [one, other]) sent.push(await agreedTo(before, await agent.generate({ messages: before })));
    for (const [index, { agent }] of [one, other].entries()) await agent.generate({ messages: sent[index] ?? [] });
    expect([one, other].map(({ model }) => timesIn(read(model).at(-1), '-BODY'))).toEqual([1, 1]);
  });
});

it('conversations that go on after the same messages know nothing of each other, although all calls have one id', async () => {
  const events: SkillEvent[] = [];
  const toolkit = createToolkit(catalog, { onEvent: (event) => events.push(event) });
  const tools = skillTools(toolkit);
  const run = async (messages: ModelMessage[], name: string) => {
    const model = scriptedModel([activation(name), done]);
    const wrapped = wrapLanguageModel({ model, middleware: skillsMiddleware(toolkit) });
    return { model, answer: await generateText({ model: wrapped, tools, stopWhen, messages }) };
  };
  const history = [user('Hi.')];
  history.push(...(await messagesOf((await run(history, 'mail')).answer)), user('Go on.'));
  events.splice(0);
  const runs = await Promise.all([1, 2, 3].map(() => run(history, 'report')));
  for (const { model } of runs) expect(observedCalls(model)[1]?.results.at(-1)).toContain('REPORT-BODY');
  expect(events.filter(({ type }) => type === 'activated')).toHaveLength(3);
  events.splice(0);
  const calls = ['call_1', 'call_2'].map((id) => ({ tool: 'activate_skill', input: { name: 'report' }, id }));
  const model = scriptedModel([{ calls }, done]);
  await generateText({ model, tools, stopWhen, messages: history });
  expect(events.map(({ type }) => type)).toEqual(['activated', 'deduplicated']);
});

it.skipIf(isSix)('two tenants that call a model with the same prompt get their own skills', async () => {
  const toolkit: SkillToolkit = createToolkit(catalog, { mode: 'awareness' });
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go on.' }] }];
  const contains: unknown[] = [];
  for (const name of ['mail', 'report']) {
    const state = await toolkit.decide({ activate: [name] }, []);
    const model = scriptedModel([done]);
    await wrapLanguageModel({ model, middleware: skillsMiddleware(toolkit, { state }) }).doGenerate({ prompt });
    contains.push(['MAIL-BODY', 'REPORT-BODY'].map((phrase) => timesIn(read(model)[0], phrase)));
  }
  expect(contains).toEqual([
    [1, 0],
    [0, 1],
  ]);
});
