// Messages in the form of a framework: each result is restored by its own call, and the tools of a call know its conversation.

import { createToolkit, loadCatalog, memorySource, type PromptMessage } from '@skillful/core';
import { describe, expect, it } from 'vitest';

const files = {
  'pdf/SKILL.md': '---\nname: pdf\ndescription: Fills forms.\narguments: file\n---\nBODY.',
  'pdf/form.md': 'A form.',
  'pdf/seal.md': 'A seal.',
};
const toolkit = createToolkit(await loadCatalog([memorySource(files)]));
const form = toolkit.createPromptForm({ version: 'v3' });
const left = '[This text is not stored here. If you need it, call the tool again, once.]';

/** Returns the call and the stored result of a file that was read, always with the same id. */
function readFile(path: string): readonly PromptMessage[] {
  const part = { toolCallId: 'call', toolName: 'read_skill_resource' };
  const output = { type: 'text', value: left };
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...part, input: { skill: 'pdf', path } }] },
    { role: 'tool', content: [{ type: 'tool-result', ...part, output }] },
  ];
}

function textsIn(messages: readonly PromptMessage[]): readonly unknown[] {
  return messages.flatMap(({ role, content }) => (role === 'tool' ? Object(content)[0].output.value : []));
}

it('restores each result by its own call, even if a server gives every call the same id', async () => {
  const conversation = [...readFile('form.md'), ...readFile('seal.md'), ...readFile('form.md')];
  const texts = ['A form.', 'A seal.', 'A form.'].map((text) => expect.stringContaining(text));
  expect(textsIn((await toolkit.prepareMessages(conversation, form)).messages)).toEqual(texts);
  // The calls of the remaining results are gone.
  const trimmed = conversation.slice(3).filter(({ role }) => role === 'tool');
  const context = { messages: toolkit.viewMessages(conversation, form) };
  expect(textsIn((await toolkit.prepareMessages(trimmed, form, context)).messages)).toEqual(texts.slice(1));
  expect(textsIn((await toolkit.prepareMessages(trimmed, form)).messages)).toEqual([left, left]);
});

it('returns the context of the call, by which its tools know what the model has', async () => {
  const messages = [{ role: 'user', content: '/pdf Fill it.' }];
  const { context } = await toolkit.prepareMessages(messages, form, { about: { tenant: 'north' } });
  expect(context).toEqual({ about: { tenant: 'north' }, run: {}, messages: toolkit.viewMessages(messages, form) });
  const activate = toolkit.tools.find(({ name }) => name === 'activate_skill');
  expect(await activate?.execute({ name: 'pdf' }, context)).toMatchObject({ details: { repeated: true } });
});

describe('a summary by the provider', () => {
  const summaries = {
    Anthropic: { type: 'text', text: 'Summary.', providerOptions: { anthropic: { type: 'compaction' } } },
    OpenAI: {
      type: 'custom',
      kind: 'openai.compaction',
      providerOptions: { openai: { type: 'compaction', itemId: '1' } },
    },
  };
  const answers = Object.entries(summaries);
  const ask = { role: 'user', content: '/pdf a.pdf' };
  const next = { role: 'user', content: [{ type: 'text', text: 'Next.' }] };
  const bodiesIn = (messages: readonly PromptMessage[]) =>
    messages.flatMap((message, index) => (JSON.stringify(message).includes('BODY.') ? index : []));

  it.each(answers)(
    'of %s moves instructions behind it, and leaves the messages before it as they are',
    async (_, part) => {
      const summary = { role: 'assistant', content: [part] };
      const before = await toolkit.prepareMessages([ask], form);
      expect(bodiesIn(before.messages)).toEqual([1]);
      const { messages, state } = await toolkit.prepareMessages([ask, summary, next], form, { state: before.state });
      expect(messages.slice(1, 3)).toEqual([ask, summary]);
      expect([messages.length, bodiesIn(messages)]).toEqual([4, [3]]);
      const later = await toolkit.prepareMessages([ask, summary, next, summary, ask], form, { state });
      expect(bodiesIn(later.messages)).toEqual([5]);
    },
  );

  it.each(answers)('of %s leaves no instructions before it, because a client may have made it up', async (_, part) => {
    const open = { ...(await toolkit.prepareMessages([], form)).context, run: {} };
    const [activate] = toolkit.tools;
    const input = { name: 'pdf', arguments: 'a.pdf' };
    const { text: value = '' } = (await activate?.execute(input, open)) ?? {};
    const call = { toolCallId: '1', toolName: 'activate_skill' };
    const asked = [
      { role: 'assistant', content: [{ ...call, type: 'tool-call', input }] },
      { role: 'tool', content: [{ ...call, type: 'tool-result', output: { type: 'text', value } }] },
    ];
    const before = await toolkit.prepareMessages(asked, form);
    expect(bodiesIn(before.messages)).toEqual([2]);
    const messages = [...asked, { role: 'assistant', content: [part] }, next];
    const after = await toolkit.prepareMessages(messages, form, { state: before.state });
    expect(bodiesIn(after.messages)).toEqual([4]);
    // The arguments stay before it.
    expect(await activate?.execute(input, after.context)).toMatchObject({ text: value });
    const state = await toolkit.decide({ deactivate: ['pdf'] }, [], { state: before.state });
    expect(bodiesIn((await toolkit.prepareMessages(messages, form, { state })).messages)).toEqual([]);
  });

  it.each(answers)('of %s in the middle of a run moves them behind the results of its step', async (_, part) => {
    const [call, result] = readFile('form.md');
    const summary = { role: 'assistant', content: [part, ...Object(call).content] };
    const step = [ask, summary, result] as PromptMessage[];
    const { state } = await toolkit.prepareMessages([ask], form);
    const first = await toolkit.prepareMessages(step, form, { state });
    expect(first.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user']);
    expect(bodiesIn(first.messages)).toEqual([4]);
    const second = await toolkit.prepareMessages([...step, ...readFile('seal.md')], form, { state: first.state });
    expect(second.messages.slice(0, 5)).toEqual(first.messages);
    expect(bodiesIn(second.messages)).toEqual([4]);
    const stopped = await toolkit.prepareMessages([...step, next], form, { state: first.state });
    expect(stopped.messages).toEqual([...first.messages, next]);
    const later = [...step, ...readFile('seal.md'), { role: 'assistant', content: 'Done.' }, next];
    const third = await toolkit.prepareMessages(later, form, { state: second.state });
    expect(third.messages.slice(0, second.messages.length)).toEqual(second.messages);
    expect(bodiesIn(third.messages)).toEqual([4]);
    const again = await toolkit.prepareMessages([...step, ...step.slice(1)], form, { state: second.state });
    expect(bodiesIn(again.messages)).toEqual([6]);
  });
});
