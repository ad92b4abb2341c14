import { createToolkit, loadCatalog, type MessageView } from '@skillful/core';
import { expect, it } from 'vitest';

const { createPromptWriter, editMessages, withoutEdits } = createToolkit(await loadCatalog([]));
const text = (text: string) => ({ type: 'text', text });
const image = { type: 'media', mediaType: 'image/png', data: 'aaaa' };
const result = (toolCallId: string, output: unknown) => ({ type: 'tool-result', toolCallId, output });
const read = (id: string) => ({ id, tool: 'read_skill_resource', text: id });

it('changes prompts in the form of the AI SDK, and leaves other messages the objects that they are', () => {
  const question = { role: 'user', content: 'Which?' };
  const answer = { role: 'assistant', content: [text('This.')] };
  const files = { type: 'content', value: [text('c1'), image] };
  const results = { role: 'tool', content: [result('c1', files), result('c2', text('long')), result('c3', null)] };
  const views: MessageView[] = [
    { key: 'question', role: 'user' },
    { key: 'answer', role: 'assistant' },
    { key: 'results', role: 'tool', results: [read('c1'), read('c2'), read('c3')] },
  ];
  const edits = [
    { key: 'question', append: 'more' },
    { key: 'results', result: 'c2', text: 'short' },
  ];
  const edit = (model: string) =>
    editMessages([question, answer, results], views, edits, createPromptWriter(model, 'catalog'));
  const asked = { role: 'user', content: [text('Which?'), text('more')] };
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
