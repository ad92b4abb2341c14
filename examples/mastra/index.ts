// Skills in Mastra: found, told to the model, activated and read by an `Agent`.

import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { withSkills } from '@skillful/mastra';
import { standInModel } from '../stand-in/ai.ts';
import type { OnTurn } from '../stand-in/turn.ts';
import { chooseModel } from '../story/provider.ts';
import { createRecorder, type Story } from '../story/story.ts';
import { tell } from '../story/tell.ts';

const skills = `${import.meta.dirname}/../skills`;

/** Lets a Mastra agent answer a request with the example skills. */
export async function run(request: string): Promise<Story> {
  const recorder = createRecorder('Mastra', request);

  const catalog = await recorder.load(() => loadCatalog([fileSource(skills)]));
  const toolkit = recorder.watch(createToolkit(catalog));

  const model = createModel(recorder.hear);
  const config = { id: 'colleague', name: 'Colleague', instructions: 'You are a helpful colleague.', model };
  const agent = new Agent(withSkills(config, toolkit));
  const { text } = await agent.generate(request);

  return recorder.finish(text);
}

function createModel(hear: OnTurn): MastraModelConfig {
  const choice = chooseModel();
  if (choice !== undefined) return `${choice.provider}/${choice.model}`;
  // Mastra bundles older types of the AI SDK, which lack a finish reason that the stand-in never returns.
  return standInModel(hear) as MastraModelConfig;
}

if (process.argv[1] === import.meta.filename) await tell(run);
