// A difference between two frameworks does not go unnoticed.

import { expect, test } from 'vitest';
import type { Turn } from '../stand-in/turn.ts';
import { findDifferences, type Story } from '../story/story.ts';
import { formatStory, formatTable, formatVerdict } from '../story/transcript.ts';

const tea = { tool: 'activate_skill', input: { name: 'tea' }, text: 'Boil it.' };

function story(framework: string, results: Turn['results'], system = 'tea, coffee'): Story {
  const turn = { system, tools: [], request: 'Brew tea', results };
  return { framework, answer: 'Done.', events: [], turns: [turn] };
}

test('the same words make no difference', () => {
  const stories = [story('A', [tea]), story('B', [tea])];
  expect(findDifferences(stories)).toEqual([]);
  expect(formatVerdict(stories)).toContain('A, B told the model the same 19 bytes.');
});

test('other words for the same thing are a difference', () => {
  const stories = [story('A', [tea]), story('B', [{ ...tea, text: 'Boil it!' }])];
  expect(findDifferences(stories)).toEqual(['activate_skill {"name":"tea"}']);
  expect(formatVerdict(stories)).toContain('They differ: activate_skill {"name":"tea"}.');
});

test('another system prompt is a difference', () => {
  expect(findDifferences([story('A', [tea]), story('B', [tea], 'tea')])).toEqual(['system prompt 1']);
});

test('what only one was told is a difference', () => {
  const coffee = { ...tea, input: { name: 'coffee' } };
  expect(findDifferences([story('A', [tea]), story('B', [coffee])])).toEqual([
    'activate_skill {"name":"tea"}',
    'activate_skill {"name":"coffee"}',
  ]);
});

test('real models are not compared', () => {
  const stories = [{ ...story('A', [tea]), turns: [] }, story('B', [tea])];
  expect(formatVerdict(stories)).toBe(
    'Real models ask for different things. Without API keys, the demo compares every byte.',
  );
});

test('a story says what the model saw, activated and read, each once, and breaks long lines', () => {
  const offered = { type: 'offered', skills: 2, tokens: 9 } as const;
  const activated = { type: 'activated', skill: 'tea', digest: 'd', source: 's', by: 'model', tokens: 1200 } as const;
  const read = { type: 'resource-read', skill: 'tea', path: 'cup.md', tokens: 3 } as const;
  const told = { ...story('A', [tea]), answer: `Take ${'a cup '.repeat(15)}\n\nDone.` };
  const both = { ...told, events: [offered, activated, offered, read, offered] };
  expect(formatStory(both)).toBe(
    [
      'A with the stand-in, which is no real model',
      '  saw       2 names and descriptions (9 tokens)',
      '  activated tea (1200 tokens)',
      '  read      tea/cup.md (3 tokens)',
      `  │ Take ${'a cup '.repeat(11)}a cup`,
      '  │ a cup a cup a cup',
      '  │',
      '  │ Done.',
    ].join('\n'),
  );
  expect(formatTable([both])).toMatch(
    /^ {5}catalog {2}activation {2}resource {2}all tokens {2}digest of the texts\n {2}A {8}9 {7}1,200 {9}3 {7}1,212 {2}[0-9a-f]{16}$/,
  );
});
