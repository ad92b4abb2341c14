import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { HumanMessage, ToolMessage } from 'langchain';
import { expect, it } from 'vitest';
import { readItems } from '../src/conversation.ts';
import { recordMessages } from '../src/state.ts';

const source = memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: D.\n---\nBody.\n' });
const toolkit = createToolkit(await loadCatalog([source]));

it('takes neither a summary for words of the user nor the result of another tool for ours', () => {
  const head = '<skill_content name="pdf" digest="01234567">\n';
  const messages = [
    new HumanMessage({ id: '1', content: 'Use $pdf.' }),
    new HumanMessage({ id: '2', content: 'They used $pdf.', additional_kwargs: { lc_source: 'summarization' } }),
    new ToolMessage({ name: 'activate_skill', tool_call_id: '3', content: `${head}second` }),
    new ToolMessage({ name: 'search', tool_call_id: '4', content: 'found' }),
  ];
  expect(readItems(messages, toolkit)).toEqual([
    { kind: 'user', text: 'Use $pdf.' },
    { kind: 'result', tool: 'activate_skill', text: `${head}second` },
  ]);
  expect(recordMessages(messages, toolkit)).toEqual({
    'user 1': { kind: 'user', text: 'Use $pdf.' },
    [`result undefined 3 ${head}`]: { kind: 'result', tool: 'activate_skill', text: head },
  });
});
