// An API key in the environment decides who plays the model.

import { expect, test } from 'vitest';
import { chooseModel } from '../stand-in/choice.ts';

test.each([
  [{}, undefined],
  [{ OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' }, undefined],
  [{ OPENAI_API_KEY: 'k' }, 'openai'],
  [{ ANTHROPIC_API_KEY: 'k' }, 'anthropic'],
  [{ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }, 'openai'],
])('%o chooses %s', (environment, provider) => {
  expect(chooseModel(environment)?.provider).toBe(provider);
});

test('the model can be named', () => {
  expect(chooseModel({ ANTHROPIC_API_KEY: 'k', EXAMPLE_MODEL: 'claude-x' })).toEqual({
    provider: 'anthropic',
    model: 'claude-x',
  });
});
