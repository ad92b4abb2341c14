import type { FilePlace, MessageView } from '@skillful/core';
import { describe, expect, it } from 'vitest';
import type { CallView, MessageEdit } from '../../src/conversation/conversation.ts';
import { editMessages } from '../../src/conversation/edit-messages.ts';
import type { MessageChange } from '../../src/conversation/message-form.ts';

const tools = ['activate_skill', 'read_skill_resource'];
const view = (key: string, role: MessageView['role']): MessageView => {
  const results = [{ id: key, tool: 'read_skill_resource', text: key }];
  return { key, role, ...(role === 'tool' && { results }) };
};

/** Edits a conversation of texts; a result with a `*` has a file that the model reads there, one with a `+` another, too. */
function edit(messages: readonly string[], edits: readonly MessageEdit[], system = ''): readonly string[] {
  const roles = { s: 'other', u: 'user', a: 'assistant', t: 'tool' } as const;
  const views = messages.map((text) => view(text, roles[text.slice(0, 1) as keyof typeof roles]));
  const form = {
    addSystem: (text: string, last?: string) => [...(last === undefined ? [] : [last]), text],
    model: (mediaType: string) => (mediaType === 'image/png' ? 'result' : 'message') as FilePlace,
    createUser: (parts: readonly object[]) => JSON.stringify(parts),
    createResult: ({ id }: CallView, text: string) => `${id}: ${text}`,
    change(message: string, { rewrite, appended }: MessageChange<{ mediaType: string }>) {
      const seen = /[+*]$/.test(message) ? [{ mediaType: 'image/png' }] : [];
      const files = message.endsWith('+') ? [...seen, { mediaType: `audio/${message}` }] : seen;
      const { content = [{ type: 'text', text: message }] } = rewrite(message, files) ?? {};
      return [...content, ...appended].map((part) => ('text' in part ? part.text : part.mediaType)).join(' ');
    },
  };
  return editMessages<string, { mediaType: string }>(messages, views, edits, form, { tools, system });
}

it('hands each message what changes in it, by key', () => {
  const edits = [
    { key: 't1', result: 't1', text: 'short' },
    { key: 'u1', append: 'one' },
    { key: 'u1', append: 'two' },
    { key: 'gone', append: 'three' },
  ];
  expect(edit(['u1', 'a1', 't1', 'u2'], edits)).toEqual(['u1 one two', 'a1', 'short', 'u2']);
});

it('sends what is put aside behind all results of the step', () => {
  const filesOf = (...names: string[]) =>
    JSON.stringify(names.flatMap((text) => [{ type: 'text', text }, { mediaType: `audio/${text}` }]));
  expect(edit(['t1*'], [])).toEqual(['t1* image/png']);
  expect(edit(['u1', 'a1', 't1+', 't2', 't3+', 'a2', 't4+'], [])).toEqual([
    'u1',
    'a1',
    't1+ image/png',
    't2',
    't3+ image/png',
    filesOf('t1+', 't3+'),
    'a2',
    't4+ image/png',
    filesOf('t4+'),
  ]);
});

it('leaves results of other tools as they are, and sends no files of one whose text is replaced', () => {
  const results = [{ id: 'c1', tool: 'lookup', text: '' }];
  const replaced = [{ id: 'c2', tool: 'activate_skill', text: '' }];
  const views: MessageView[] = [
    { key: 'one', role: 'tool', results },
    { key: 'two', role: 'tool', results: replaced },
  ];
  const seen: unknown[] = [];
  const edits = [{ key: 'two', result: 'c2', text: 'new' }];
  const edited = editMessages<string, { mediaType: string }>(
    ['c1', 'c2'],
    views,
    edits,
    {
      model: () => 'message',
      createUser: () => 'files',
      createResult: () => 'result',
      change(message, { rewrite }) {
        seen.push(rewrite(message, [{ mediaType: 'image/png' }]));
        return message;
      },
    },
    { tools },
  );
  expect([seen, edited]).toEqual([
    [undefined, { text: 'new', content: [{ type: 'text', text: 'new' }] }],
    ['c1', 'c2'],
  ]);
});

describe('calls without a result', () => {
  const call = (id: string, name = 'activate_skill'): CallView => ({ id, name, input: {} });
  const result = (id: string, text = `did ${id}`): MessageView => ({
    key: id,
    role: 'tool',
    results: [{ id, tool: '', text }],
  });
  const missing = 'This call has no result. It may not have run.';
  const user: MessageView = { key: 'u', role: 'user' };
  const asking = (...calls: readonly CallView[]): MessageView => ({ key: 'a', role: 'assistant', calls });
  const edited = (...views: readonly MessageView[]) => {
    const keys = views.map(({ key }) => key);
    const form = { model: '', createUser: () => '', change: (key: string) => key };
    const createResult = ({ id }: CallView, text: string) => `${id}: ${text}`;
    return editMessages<string, { mediaType: string }>(keys, views, [], { ...form, createResult }, { tools });
  };

  it('get one if the conversation went on, together with the calls beside them', () => {
    const views = [user, asking(call('c1'), call('c2', 'lookup'), call('c3')), result('c3'), user];
    const closed = [`c1: ${missing}`, `c2: ${missing}`];
    expect(edited(...views)).toEqual(['u', 'a', ...closed, 'c3', 'u']);
    expect(edited(...views, asking(call('c1')), result('c1'))).toEqual(['u', 'a', ...closed, 'c3', 'u', 'a', 'c1']);
  });

  it('get none while they may still run, or if all of them are calls of the application', () => {
    expect(edited(user, asking(call('c1')))).toEqual(['u', 'a']);
    expect(edited(user, asking(call('c1'), call('c2')), result('c2'))).toEqual(['u', 'a', 'c2']);
    expect(edited(asking(call('c1', 'lookup')), user)).toEqual(['a', 'u']);
  });

  it('get none if the answer that made them is stored as several messages, which some providers join', () => {
    const views = [asking(call('c1')), asking(call('c2')), result('c1'), result('c2'), user];
    expect(edited(...views)).toEqual(['a', 'a', 'c1', 'c2', 'u']);
    expect(edited(asking(call('c1')), asking(call('c2')), result('c1'), user)).toEqual([
      'a',
      'a',
      `c2: ${missing}`,
      'c1',
      'u',
    ]);
  });

  it('get one although a later call has a result, if a server gives both the same id', () => {
    const views = [asking(call('c1')), asking(call('c1')), result('c1'), user];
    expect(edited(...views)).toEqual(['a', `c1: ${missing}`, 'a', 'c1', 'u']);
  });

  it('get one if their own result comes only after words of the user, because the AI SDK would refuse that', () => {
    expect(edited(asking(call('c1')), user, result('c1'))).toEqual(['a', `c1: ${missing}`, 'u', 'c1']);
  });
});

it('takes several views of one message for its parts', () => {
  const part = (id: string) => ({
    key: id,
    role: 'tool' as const,
    results: [{ id, tool: 'activate_skill', text: '' }],
  });
  const views = ['c1', 'c2'].map((id) => ({ ...part(id), index: 0 }));
  const edits = ['c1', 'c2'].map((id) => ({ key: id, result: id, text: `new ${id}` }));
  const edited = editMessages<string, { mediaType: string }>(
    ['both', 'c3'],
    [...views, { ...part('c3'), index: 1 }],
    edits,
    {
      model: '',
      createUser: () => '',
      createResult: () => 'result',
      change: (message, { rewrite }) => ['c1', 'c2'].map((id) => rewrite(id, [])?.text ?? message).join(' '),
    },
    { tools },
  );
  expect(edited).toEqual(['new c1 new c2', 'c3 c3']);
});

it('puts what begins the conversation behind a summary, also if an earlier message has several views', () => {
  const views: MessageView[] = [
    { key: 'c1', role: 'tool', index: 0 },
    { key: 'c2', role: 'tool', index: 0 },
    { key: 'summary', role: 'assistant', compacts: true, index: 1 },
    { key: 'answer', role: 'assistant', index: 2 },
  ];
  const form = { model: '', createUser: () => 'start', createResult: () => '', change: (message: string) => message };
  const messages = ['both', 'summary', 'answer'];
  const edited = editMessages<string, { mediaType: string }>(messages, views, [{ start: '' }], form, { tools });
  expect(edited).toEqual(['both', 'summary', 'start', 'answer']);
});

it('puts the system text and what begins the conversation behind the system messages at its head', () => {
  const start = JSON.stringify([{ type: 'text', text: 'moved' }]);
  expect(edit(['s1', 's2', 'a1', 's3'], [{ start: 'moved' }], 'catalog')).toEqual([
    's1',
    's2',
    'catalog',
    start,
    'a1',
    's3',
  ]);
  expect(edit(['s1', 's2'], [{ start: 'moved' }])).toEqual(['s1', 's2', start]);
  expect(edit([], [], 'catalog')).toEqual(['catalog']);
});
