import { createToolkit, loadCatalog, type MessageEdit, type MessageView } from '@skillful/core';
import { expect, it } from 'vitest';

const { editMessages } = createToolkit(await loadCatalog([]));
const view = (key: string, role: MessageView['role']): MessageView => ({ key, role });

/** Edits a conversation in which each message is a text, and each result with a `+` has a file. */
function edit(messages: readonly string[], edits: readonly MessageEdit[], head?: readonly string[]): readonly string[] {
  const roles = { s: 'other', u: 'user', a: 'assistant', t: 'tool' } as const;
  const views = messages.map((text) => view(text, roles[text.slice(0, 1) as keyof typeof roles]));
  return editMessages<string, string>(messages, views, edits, {
    ...(head && { head }),
    createUser: (parts) => JSON.stringify(parts),
    change(message, { results, appended }, behind) {
      if (message.endsWith('+')) behind.push(`file of ${message}`);
      return [results.get(message) ?? message, ...appended.map(({ text }) => text)].join(' ');
    },
  });
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
  const files = JSON.stringify(['file of t1+', 'file of t3+']);
  expect(edit(['u1', 'a1', 't1+', 't2', 't3+', 'a2', 't4+'], [])).toEqual([
    'u1',
    'a1',
    't1+',
    't2',
    't3+',
    files,
    'a2',
    't4+',
    JSON.stringify(['file of t4+']),
  ]);
});

it('puts the head and what begins the conversation behind the system messages at its head', () => {
  const start = JSON.stringify([{ type: 'text', text: 'moved' }]);
  expect(edit(['s1', 's2', 'a1', 's3'], [{ start: 'moved' }], ['catalog'])).toEqual([
    's1',
    's2',
    'catalog',
    start,
    'a1',
    's3',
  ]);
  expect(edit(['s1'], [{ start: 'moved' }])).toEqual(['s1', start]);
  expect(edit([], [], ['catalog'])).toEqual(['catalog']);
});
