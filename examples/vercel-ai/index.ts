// Skills in the Vercel AI SDK: found, told to the model, activated and read by a `ToolLoopAgent`.

import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { withSkills } from '@skillful/vercel-ai';
import { ToolLoopAgent } from 'ai';
import { standInModel } from '../stand-in/ai.ts';
import type { OnTurn } from '../stand-in/turn.ts';
import { chooseModel } from '../story/provider.ts';
import { createRecorder, type Story } from '../story/story.ts';
import { tell } from '../story/tell.ts';

const skills = `${import.meta.dirname}/../skills`;

/** Lets an agent of the AI SDK answer a request with the example skills. */
export async function run(request: string): Promise<Story> {
  const recorder = createRecorder('Vercel AI SDK', request);

  const catalog = await recorder.load(() => loadCatalog([fileSource(skills)]));
  const toolkit = recorder.watch(createToolkit(catalog));

  const model = await createModel(recorder.hear);
  const agent = new ToolLoopAgent(withSkills({ model, instructions: 'You are a helpful colleague.' }, toolkit));
  const { text } = await agent.generate({ prompt: request });

  return recorder.finish(text);
}

async function createModel(hear: OnTurn) {
  const choice = chooseModel();
  if (choice?.provider === 'openai') return (await import('@ai-sdk/openai')).openai(choice.model);
  if (choice?.provider === 'anthropic') return (await import('@ai-sdk/anthropic')).anthropic(choice.model);
  return standInModel(hear);
}

if (process.argv[1] === import.meta.filename) await tell(run);
