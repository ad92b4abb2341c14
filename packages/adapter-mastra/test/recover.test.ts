import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { expect, it } from 'vitest';
import { recoverCalls } from '../src/recover.ts';

const source = memorySource({
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nREPORT-BODY\n',
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
});
const toolkit = createToolkit(await loadCatalog([source]));
const tools = new Set(['activate_skill', 'lookup']);
const textOf = async (name: string) => (await toolkit.tools[0]?.execute({ name }))?.text;

const exchange = (toolName: string, input: unknown, type: string, value: unknown) => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_0', toolName, input }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_0', toolName, output: { type, value } }] },
];

it('recovers one of two calls of the same id and leaves the other', async () => {
  const found = exchange('lookup', {}, 'text', 'found');
  const messages = [...found, ...exchange('notes', {}, 'error-text', 'Tool "notes" not found.'), ...found];
  const activation = exchange('activate_skill', { name: 'notes' }, 'text', await textOf('notes'));
  expect(await recoverCalls(messages, tools, toolkit, {})).toEqual([...found, ...activation, ...found]);
});

it('answers a call that got the result of an earlier call with the same id', async () => {
  const [report, notes] = [await textOf('report'), await textOf('notes')];
  const first = exchange('activate_skill', { name: 'report' }, 'text', report);
  const second = exchange('activate_skill', { name: 'notes' }, 'text', report);
  const right = exchange('activate_skill', { name: 'notes' }, 'text', notes);
  expect(await recoverCalls([...first, ...second], tools, toolkit, {})).toEqual([...first, ...right]);
  const other = exchange('lookup', { query: 'b' }, 'text', 'found');
  const messages = [...exchange('lookup', { query: 'a' }, 'text', 'found'), ...other];
  expect(await recoverCalls(messages, tools, toolkit, {})).toBe(messages);
});

it('reads each result a fixed number of times if all calls have one id', async () => {
  let reads = 0;
  const page = { toJSON: () => ++reads };
  const messages = Array.from({ length: 1_000 }, (_, index) => [
    ...exchange('lookup', { index }, 'text', page),
    ...exchange('activate_skill', { name: 'report' }, 'text', page),
  ]).flat();
  expect(await recoverCalls(messages, tools, toolkit, {})).toBe(messages);
  expect(reads).toBe(1_000);
});
