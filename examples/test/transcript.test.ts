// A difference between two frameworks does not go unnoticed.

import { expect, test } from 'vitest';
import type { Disclosure, Story } from '../story/story.ts';
import { findDifferences, formatVerdict } from '../story/transcript.ts';

function disclosure(tier: Disclosure['tier'], subject: string, text: string): Disclosure {
  return { tier, subject, text, tokens: 1, milliseconds: 1 };
}

function story(framework: string, disclosures: readonly Disclosure[], offline = true): Story {
  const catalog = { skills: [], shadowed: [], rejected: [], diagnostics: [] };
  return { framework, offline, request: 'Brew tea', catalog, disclosures, answer: 'Done.' };
}

const catalog = disclosure('catalog', '', 'tea, coffee');
const tea = disclosure('activation', 'tea', 'Boil it.');
const coffee = disclosure('activation', 'coffee', 'Grind it.');

test('the same words make no difference', () => {
  const stories = [story('A', [catalog, tea]), story('B', [catalog, tea])];
  expect(findDifferences(stories)).toEqual([]);
  expect(formatVerdict(stories, [])).toContain('A, B told the model the same 19 bytes.');
});

test('other words for the same thing are a difference', () => {
  const changed = disclosure('activation', 'tea', 'Boil it!');
  expect(findDifferences([story('A', [catalog, tea]), story('B', [catalog, changed])])).toEqual(['activation tea']);
});

test('offline, what only one was told is a difference', () => {
  const stories = [story('A', [catalog, tea]), story('B', [catalog, coffee])];
  expect(findDifferences(stories)).toEqual(['activation tea', 'activation coffee']);
  expect(formatVerdict(stories, ['activation tea'])).toContain('They differ: activation tea.');
});

test('real models may ask for different things', () => {
  const stories = [story('A', [catalog, tea], false), story('B', [catalog, coffee], false)];
  expect(findDifferences(stories)).toEqual([]);
  expect(formatVerdict(stories, [])).toContain('A, B told the model the same bytes wherever it asked for the same.');
});
