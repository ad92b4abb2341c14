// A conversation that anyone may have made up costs no more than in proportion to its length, and every part has a key of its own.

import type { ProcessLLMRequestArgs } from '@mastra/core/processors';
import { describe, expect, it } from 'vitest';
import { editPrompt, viewConversation, viewPrompt } from '../src/view.ts';

const results = 8_000;
const numbers = Array.from({ length: results }, (_, index) => index);
const part = {
  type: 'tool-result',
  toolCallId: 'one',
  toolName: 'activate_skill',
  output: { type: 'text', value: '' },
};
const keys = numbers.map((number) => (number === 0 ? 'one' : `one'${number}`));

type Prompt = ProcessLLMRequestArgs['prompt'];
const state = { skills: {} };
const inOneMessage = [{ role: 'tool', content: numbers.map(() => part) }] as Prompt;
const inManyMessages = numbers.map(() => ({ role: 'tool', content: [part] })) as Prompt;

describe('8,000 results of one id', () => {
  it.each([
    ['one message', inOneMessage],
    ['a message each', inManyMessages],
  ])('in %s get keys of their own', (_, prompt) => {
    const shown = viewPrompt(prompt);
    expect(shown.map(({ key }) => key)).toEqual(keys);
    // What was left out of the prompt comes before what follows it.
    const last = shown.slice(-1);
    expect(viewConversation(last, shown).map(({ key }) => key)).toEqual(keys);
    expect(viewConversation([...shown].reverse(), shown).length).toBe(2 * results - 1);
  });

  it.each([
    ['one message', inOneMessage],
    ['a message each', inManyMessages],
  ])('in %s can all be changed', (_, prompt) => {
    const edits = keys.map((key) => ({ key, result: 'one', text: 'new' }));
    const edited = editPrompt(prompt, viewPrompt(prompt), { edits, system: '', withheld: [], state, active: [] });
    const changed = { ...part, output: { type: 'text', value: 'new' } };
    expect(edited).toEqual(prompt.map(({ role, content }) => ({ role, content: [...content].map(() => changed) })));
  });
});
