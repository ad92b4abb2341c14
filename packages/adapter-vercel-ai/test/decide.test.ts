import { createToolkit, loadCatalog, memorySource, type SkillContext } from '@skillful/core';
import { observedCalls, scriptedModel } from '@skillful/testing/ai-sdk';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  pruneMessages,
  tool,
  type UIMessage,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { readItems } from '../src/conversation.ts';
import { decide, pruneExceptSkills, type SkillToolsOptions, withSkills } from '../src/index.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
});
const catalog = await loadCatalog([source]);
const toolkit = createToolkit(catalog);

const done = { text: 'Done.' };
const calling = (tool: string, input: object = {}, id?: string) => ({
  calls: [{ tool, input, ...(id === undefined ? {} : { id }) }],
});
const user = (content: string): ModelMessage => ({ role: 'user', content });
const stopWhen = isStepCount(10);
const lookup = tool({
  description: 'Looks something up.',
  inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
  execute: async () => 'found',
});

async function say(
  messages: ModelMessage[],
  script: Parameters<typeof scriptedModel>[0],
  skills = toolkit,
  options: SkillToolsOptions = {},
) {
  const model = scriptedModel(script);
  const settings = withSkills({ model, tools: { lookup } }, skills, options);
  const { responseMessages } = await generateText({ ...settings, stopWhen, messages });
  messages.push(...responseMessages);
  return model;
}

function bodiesIn(model: ReturnType<typeof scriptedModel>): readonly number[] {
  const last = observedCalls(model).at(-1);
  const text = [last?.system, ...(last?.results ?? [])].join('\n');
  return ['REPORT-BODY', 'NOTES-BODY'].map((phrase) => text.split(phrase).length - 1);
}

describe('decide', () => {
  it('returns messages that no provider is sent, wherever they are', async () => {
    const messages = await decide(toolkit, { activate: ['report'] });
    messages.push(user('Hello.'));
    await say(messages, [calling('activate_skill', { name: 'notes' }), done]);
    messages.push(...(await decide(toolkit, { deactivate: ['report'] })), user('Go on.'));
    messages.push(...(await decide(toolkit, { deactivate: ['notes'] })));
    const model = await say(messages, [done]);
    const [{ prompt = [], providerOptions } = {}] = model.doGenerateCalls;
    expect(prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    expect([JSON.stringify(prompt).includes('skillful'), providerOptions]).toEqual([false, {}]);
    expect(bodiesIn(model)).toEqual([0, 0]);
  });

  it('decide in messages that were stored as JSON', async () => {
    const messages = [user('Hello.'), ...(await decide(toolkit, { activate: ['report', 'notes'] }))];
    messages.push(...(await decide(toolkit, { deactivate: ['notes'] })), user('Go on.'));
    expect(bodiesIn(await say(JSON.parse(JSON.stringify(messages)), [done]))).toEqual([1, 0]);
  });

  it.each(['user', 'assistant'] as const)(
    'decide in the parts of messages of a user interface where the application says that they are its own: %s',
    async (role) => {
      const skills = createToolkit(catalog, { preload: ['notes'] });
      const decisions = [
        ...(await decide(skills, { activate: ['report'] })),
        ...(await decide(skills, { deactivate: ['notes'] })),
      ];
      const parts = decisions.map(({ providerOptions: providerMetadata = {} }) => ({
        type: 'text' as const,
        text: 'Hello.',
        providerMetadata,
      }));
      const stored: UIMessage[] = JSON.parse(JSON.stringify([{ id: '1', role, parts }]));
      const messages = [...(await convertToModelMessages(stored)), user('Go on.')];
      expect(bodiesIn(await say([...messages], [done], skills))).toEqual([0, 1]);
      const own = await say([...messages], [done], skills, { decisionsInParts: true });
      expect(bodiesIn(own)).toEqual([1, 0]);
    },
  );

  it('decide in no system message, whose options are those of the parts that a client may have sent', async () => {
    const [{ providerOptions } = {}] = await decide(toolkit, { activate: ['report'] });
    const message = (role: string) => ({ role, content: [], providerOptions });
    const items = [{ kind: 'code', text: '<skill_active name="report" />' }];
    expect(readItems([message('tool')], toolkit, {})).toEqual(items);
    for (const decisionsInParts of [true, false]) {
      expect(readItems([message('system'), message('assistant')], toolkit, { decisionsInParts })).toEqual([]);
    }
  });

  it('returns no message for no skill', async () => {
    expect(await decide(toolkit, { deactivate: [] })).toEqual([]);
  });

  it('hand the request to the catalog function', async () => {
    const empty = await loadCatalog([]);
    const skills = createToolkit(({ request }: SkillContext) => (request === 'north' ? catalog : empty));
    expect(await decide(skills, { activate: ['report'] }, { request: 'north' })).toHaveLength(1);
    await expect(decide(skills, { activate: ['report'] })).rejects.toMatchObject({ code: 'skill-unknown' });
  });
});

describe('ids of calls that come again', () => {
  it('keep each activation of one run apart', async () => {
    const script = [
      calling('activate_skill', { name: 'report' }, 'call_0'),
      calling('lookup', {}, 'call_0'),
      calling('activate_skill', { name: 'notes' }, 'call_0'),
      done,
    ];
    const model = await say([user('Do it.')], script);
    expect(
      observedCalls(model)
        .at(-1)
        ?.results.map((text) => text.slice(0, 27)),
    ).toEqual(['<skill_content name="report', 'found', '<skill_content name="notes"']);
  });
});

describe('pruneExceptSkills', () => {
  const talk = async () => {
    const messages = [user('Do it.')];
    await say(messages, [calling('activate_skill', { name: 'report' }), calling('lookup'), calling('lookup'), done]);
    messages.push(...(await decide(toolkit, { deactivate: ['notes'] })), user('Go on.'));
    return messages;
  };
  const toolsIn = (messages: readonly ModelMessage[]): readonly string[] =>
    messages
      .flatMap(({ role, content }) => (role === 'tool' ? content : []))
      .flatMap((part) => (part.type === 'tool-result' ? [part.toolName] : []));

  it.each([
    ['all' as const, ['activate_skill']],
    ['none' as const, ['activate_skill', 'lookup', 'lookup']],
    ['before-last-4-messages' as const, ['activate_skill', 'lookup']],
    [[{ type: 'all' as const, tools: ['activate_skill', 'lookup'] }], ['activate_skill']],
    [[{ type: 'all' as const, tools: ['search'] }], ['activate_skill', 'lookup', 'lookup']],
  ])('prunes with %j and leaves the calls of skill tools', async (toolCalls, tools) => {
    expect(toolsIn(pruneExceptSkills(toolkit, { messages: await talk(), toolCalls }))).toEqual(tools);
  });

  it('removes the messages that it leaves empty, as pruneMessages does', async () => {
    const pruned = pruneExceptSkills(toolkit, { messages: await talk(), toolCalls: 'all' });
    expect(pruned.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'user']);
    const kept = pruneExceptSkills(toolkit, { messages: await talk(), toolCalls: 'all', emptyMessages: 'keep' });
    expect(kept).toHaveLength(10);
  });

  it('keeps the decisions of the application', async () => {
    const messages = await talk();
    const [decision] = await decide(toolkit, { deactivate: ['notes'] });
    expect(pruneExceptSkills(toolkit, { messages })).toContainEqual(decision);
    expect(pruneMessages({ messages })).not.toContainEqual(decision);
  });

  it('leaves messages that a model call can be made with', async () => {
    const pruned = pruneExceptSkills(toolkit, { messages: await talk(), toolCalls: 'all' });
    expect(bodiesIn(await say(pruned, [done]))).toEqual([1, 0]);
  });
});
