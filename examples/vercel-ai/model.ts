// The model of the AI SDK examples: a provider's if its API key is set, or else the stand-in.

import type { LanguageModel } from 'ai';
import { standInModel } from '../stand-in/ai.ts';
import { chooseModel } from '../stand-in/choice.ts';

export const model: LanguageModel = await createModel();

async function createModel(): Promise<LanguageModel> {
  const choice = chooseModel();
  if (choice?.provider === 'openai') return (await import('@ai-sdk/openai')).openai(choice.model);
  if (choice?.provider === 'anthropic') return (await import('@ai-sdk/anthropic')).anthropic(choice.model);
  return standInModel();
}
