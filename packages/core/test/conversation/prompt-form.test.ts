import type { MessageView, PromptMessage } from '@skillful/core';
import { describe, expect, it } from 'vitest';
import { editMessages } from '../../src/conversation/edit-messages.ts';
import { viewMessages } from '../../src/conversation/message-keys.ts';
import { createPromptForm, withoutEdits, writeOutput } from '../../src/conversation/prompt-form.ts';

const text = (text: string) => ({ type: 'text', text });
const timed = (said: string) => ({ ...text(said), providerOptions: { mastra: { createdAt: 1 } } });
const cached = (said: string) => ({
  ...text(said),
  providerOptions: { mastra: { createdAt: 1 }, anthropic: { cacheControl: { type: 'ephemeral' } } },
});
const image = { type: 'media', mediaType: 'image/png', data: 'aaaa' };
const result = (toolCallId: string, output: unknown) => ({ type: 'tool-result', toolCallId, output });
const read = (id: string) => ({ id, tool: 'read_skill_resource', text: id });

it('changes prompts in the form of the AI SDK, and leaves other messages the objects that they are', () => {
  const question = { role: 'user', content: 'Which?' };
  const answer = { role: 'assistant', content: [text('This.')] };
  const files = { type: 'content', value: [text('c1'), image] };
  const results = { role: 'tool', content: [result('c1', files), result('c2', text('long')), result('c3', null)] };
  const messages: readonly PromptMessage[] = [question, answer, results];
  const views: MessageView[] = [
    { key: 'question', role: 'user' },
    { key: 'answer', role: 'assistant' },
    { key: 'results', role: 'tool', results: [read('c1'), read('c2'), read('c3')] },
  ];
  const edits = [
    { key: 'question', append: 'more' },
    { key: 'results', result: 'c2', text: 'short' },
  ];
  const edit = (model: string) => {
    const told = { tools: ['read_skill_resource'], system: 'catalog' };
    return editMessages<PromptMessage, { mediaType: string }>(
      messages,
      views,
      edits,
      createPromptForm({ model }),
      told,
    );
  };
  const asked = { role: 'user', content: 'Which?\n\nmore' };
  const changed = [result('c2', { type: 'text', value: 'short' }), result('c3', null)];
  const system = { role: 'system', content: 'catalog' };
  const seen = edit('openai.responses');
  expect(seen).toEqual([system, asked, answer, { role: 'tool', content: [result('c1', files), ...changed] }]);
  expect(seen[2]).toBe(answer);
  expect(withoutEdits([...seen, system])).toEqual([question, answer, results, system]);
  expect(edit('openai.chat')).toEqual([
    system,
    asked,
    answer,
    { role: 'tool', content: [result('c1', { type: 'text', value: 'c1' }), ...changed] },
    { role: 'user', content: [text('c1'), { ...image, type: 'file' }] },
  ]);
});

it.each([
  ['a text', 'Which?', 'Which?\n\nmore'],
  ['one part', [text('Which?')], [text('Which?\n\nmore')]],
  ['one part with a time of Mastra', [timed('Which?')], [timed('Which?\n\nmore')]],
  ['two parts', [text('Which'), text('one?')], [text('Which'), text('one?'), text('more')]],
  ['a file', [image], [image, text('more')]],
  ['a part that ends a cached prefix', [cached('Which?')], [cached('Which?'), text('more')]],
])(
  'leaves one text one text when it adds to a user message, because some servers accept no parts: %s',
  (_, content, changed) => {
    const form = createPromptForm();
    const question = { role: 'user', content };
    const edits = [{ key: 'question', append: 'more' }];
    const added = editMessages([question], [{ key: 'question', role: 'user' }], edits, form, { tools: [] });
    expect(added).toEqual([{ role: 'user', content: changed }]);
    expect(withoutEdits(added)).toEqual([question]);
  },
);

const data = 'AAAA';
const seal = { mediaType: 'image/png', data };
const pdf = { mediaType: 'application/pdf', data };
const named = { ...pdf, filename: 'form.pdf' };

it.each([
  [
    'v2',
    [
      { type: 'media', ...seal },
      { type: 'media', ...pdf },
    ],
  ],
  [
    'v3',
    [
      { type: 'image-data', ...seal },
      { type: 'file-data', ...named },
    ],
  ],
  [
    'v4',
    [
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'data', data }, filename: 'form.pdf' },
    ],
  ],
])('writes the files of a result in the form of models of %s', (version, files) => {
  const result = { text: 'Two files.', isError: false, files: [seal, named] };
  expect(writeOutput(result, version)).toEqual({
    type: 'content',
    value: [{ type: 'text', text: 'Two files.' }, ...files],
  });
});

it('writes a result without files as text, and an error as such', () => {
  const result = { text: 'No.', isError: true, files: [] };
  expect(writeOutput(result, 'v3')).toEqual({ type: 'error-text', value: 'No.' });
  expect(writeOutput({ ...result, isError: false }, 'v3')).toEqual({ type: 'text', value: 'No.' });
});

describe('8,000 results', () => {
  const form = createPromptForm();
  const numbers = Array.from({ length: 8_000 }, (_, index) => index);
  const partOf = (toolCallId: string) => ({
    ...result(toolCallId, { type: 'text', value: 'long' }),
    toolName: 'read_skill_resource',
  });
  const ofOneId = numbers.map(() => partOf('one'));
  const ofManyIds = numbers.map((number) => partOf(`c${number}`));
  const inOne = (content: readonly object[]) => [{ role: 'tool', content }];
  const inMany = (content: readonly object[]) => content.map((part) => ({ role: 'tool', content: [part] }));

  it.each([
    ['of one id in one message', inOne(ofOneId)],
    ['of one id in a message each', inMany(ofOneId)],
    ['of many ids in one message', inOne(ofManyIds)],
    ['of many ids in a message each', inMany(ofManyIds)],
  ])('%s get keys of their own, and are changed with few looks at each change', (_, messages) => {
    const views = viewMessages(messages, form);
    expect(new Set(views.map(({ key }) => key)).size).toBe(numbers.length);
    let looks = 0;
    const edits = views.flatMap(({ key, results = [] }) =>
      results.map(({ id }) => ({
        get key() {
          looks += 1;
          return key;
        },
        get result() {
          looks += 1;
          return id;
        },
        get text() {
          looks += 1;
          return 'short';
        },
      })),
    );
    const edited = editMessages(messages, views, edits, form, { tools: ['read_skill_resource'] });
    const output = { type: 'text', value: 'short' };
    expect(edited).toEqual(
      messages.map(({ role, content }) => ({ role, content: content.map((part) => ({ ...part, output })) })),
    );
    expect(looks).toBeLessThanOrEqual(4 * numbers.length);
  });
});

it('views each result by itself, calls with their inputs, and what a person wrote', () => {
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'lookup', input: { a: 1 } };
  const failed = { ...result('c1', { type: 'error-text', value: 'No.' }), toolName: 'lookup' };
  const found = { ...result('c2', { type: 'content', value: [text('one'), image, text('two')] }), toolName: 'lookup' };
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: [text('Which'), image, text('one?')] },
    { role: 'assistant', content: [text('This.'), call] },
    { role: 'tool', content: [failed, found] },
    { role: 'tool', content: [] },
  ];
  const form = createPromptForm<PromptMessage>({ identify: (_, said) => `user ${said}` });
  expect(messages.flatMap((message) => form.view(message))).toEqual([
    { said: 'system\nBe kind.\n', role: 'other' },
    { said: 'user Which\none?', role: 'user', text: 'Which\none?' },
    { said: 'assistant\nThis.\n\nc1', role: 'assistant', calls: [{ id: 'c1', name: 'lookup', input: { a: 1 } }] },
    { said: 'c1', role: 'tool', results: [{ id: 'c1', tool: 'lookup', text: 'No.', isError: true }] },
    { said: 'c2', role: 'tool', results: [{ id: 'c2', tool: 'lookup', text: 'one\ntwo', isError: false }] },
    { said: 'tool\n', role: 'tool' },
  ]);
});

it('counts no call that the provider runs, because its result is beside it and in no message of a tool', () => {
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'activate_skill', input: { name: 'pdf' } };
  const search = { ...call, toolCallId: 's1', toolName: 'web_search', providerExecuted: true };
  const found = { ...result('s1', { type: 'json', value: [] }), toolName: 'web_search' };
  const messages = [
    { role: 'assistant', content: [search, found, call] },
    { role: 'user', content: 'Go on.' },
  ];
  const form = createPromptForm();
  const edited = editMessages(messages, viewMessages(messages, form), [], form, { tools: ['activate_skill'] });
  const results = edited.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
  expect(results).toMatchObject([{ type: 'tool-result', toolCallId: 'c1' }]);
});

describe('a system text', () => {
  const system = (content: string, options: object = {}) => ({ role: 'system', content, ...options });
  const user = { role: 'user', content: [text('Hi.')] };
  const add = (messages: readonly PromptMessage[]) => {
    const form = createPromptForm();
    return editMessages(messages, viewMessages(messages, form), [], form, { tools: [], system: 'SKILLS' });
  };

  it('joins the last system message, because some models accept only one', () => {
    const messages = [system('One.'), system('Two.'), user];
    const added = add(messages);
    expect(added).toEqual([system('One.'), system('Two.\n\nSKILLS'), user]);
    expect(withoutEdits(added)).toEqual(messages);
    expect(add([system(''), user])).toEqual([system('SKILLS'), user]);
    expect(add([user])).toEqual([system('SKILLS'), user]);
    expect(add([user, system('Later.')])).toEqual([system('SKILLS'), user, system('Later.')]);
  });

  it('follows a system message with options of a provider, which may end a cached prefix', () => {
    const cached = system('One.', { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } });
    expect(add([cached, user])).toEqual([cached, system('SKILLS'), user]);
  });
});
