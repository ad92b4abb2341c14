// The model of the LangChain examples: a provider's if its API key is set, or else the stand-in.

import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { chooseModel } from '../stand-in/choice.ts';
import { standInModel } from '../stand-in/langchain.ts';

export const model: BaseChatModel = await createModel();

async function createModel(): Promise<BaseChatModel> {
  const { provider, model = '' } = chooseModel() ?? {};
  if (provider === 'openai') return new (await import('@langchain/openai')).ChatOpenAI({ model });
  if (provider === 'anthropic') return new (await import('@langchain/anthropic')).ChatAnthropic({ model });
  return standInModel();
}
