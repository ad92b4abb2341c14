// Skills in LangChain: found, told to the model, activated and read by an agent of `createAgent`.

import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { skillsMiddleware } from '@skillful/langchain';
import { createAgent } from 'langchain';
import { standInModel } from '../stand-in/langchain.ts';
import type { OnTurn } from '../stand-in/turn.ts';
import { chooseModel } from '../story/provider.ts';
import { createRecorder, type Story } from '../story/story.ts';
import { tell } from '../story/tell.ts';

const skills = `${import.meta.dirname}/../skills`;

/** Lets a LangChain agent answer a request with the example skills. */
export async function run(request: string): Promise<Story> {
  const recorder = createRecorder('LangChain', request);

  const catalog = await recorder.load(() => loadCatalog([fileSource(skills)]));
  const toolkit = recorder.watch(createToolkit(catalog));

  const agent = createAgent({
    model: await createModel(recorder.hear),
    systemPrompt: 'You are a helpful colleague.',
    middleware: [skillsMiddleware(toolkit)],
  });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: request }] });

  return recorder.finish(messages.at(-1)?.text ?? '');
}

async function createModel(hear: OnTurn): Promise<BaseChatModel> {
  const choice = chooseModel();
  if (choice === undefined) return standInModel(hear);
  const { provider, model } = choice;
  if (provider === 'openai') return new (await import('@langchain/openai')).ChatOpenAI({ model });
  return new (await import('@langchain/anthropic')).ChatAnthropic({ model });
}

if (process.argv[1] === import.meta.filename) await tell(run);
