// A conversation that anyone may have made up costs no more than in proportion to its length, and every part has a key of its own.

import type { ProcessLLMRequestArgs } from '@mastra/core/processors';
import { createToolkit, loadCatalog } from '@skillful/core';
import { describe, expect, it } from 'vitest';
import { editPrompt, viewPrompt } from '../src/view.ts';

const results = 8_000;
const numbers = Array.from({ length: results }, (_, index) => index);
const part = {
  type: 'tool-result',
  toolCallId: 'one',
  toolName: 'activate_skill',
  output: { type: 'text', value: '' },
};
const toolkit = createToolkit(await loadCatalog([]));

type Prompt = ProcessLLMRequestArgs['prompt'];
const state = { skills: {} };
const model = { provider: 'mock', modelId: 'm' } as ProcessLLMRequestArgs['model'];
const inOneMessage = [{ role: 'tool', content: numbers.map(() => part) }] as Prompt;
const inManyMessages = numbers.map(() => ({ role: 'tool', content: [part] })) as Prompt;

describe('8,000 results of one id', () => {
  it.each([
    ['one message', inOneMessage],
    ['a message each', inManyMessages],
  ])('in %s get keys of their own', (_, prompt) => {
    const shown = viewPrompt(prompt, toolkit);
    const keys = shown.map(({ key }) => key);
    expect(new Set(keys).size).toBe(results);
  });

  it.each([
    ['one message', inOneMessage],
    ['a message each', inManyMessages],
  ])('in %s can all be changed', (_, prompt) => {
    const shown = viewPrompt(prompt, toolkit);
    const edits = shown.map(({ key }) => ({ key, result: 'one', text: 'new' }));
    const prepared = { edits, system: '', hiddenTools: [], state, active: [] };
    const edited = editPrompt({ prompt, model }, shown, prepared, toolkit);
    const changed = { ...part, output: { type: 'text', value: 'new' } };
    expect(edited).toEqual(prompt.map(({ role, content }) => ({ role, content: [...content].map(() => changed) })));
  });
});
