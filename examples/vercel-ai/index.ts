// The shortest agent with skills in the Vercel AI SDK.

import { createToolkit, loadCatalog, type OnSkillEvent } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { withSkills } from '@skillful/vercel-ai';
import { ToolLoopAgent } from 'ai';
import { model } from './model.ts'; // in your code: 'openai/gpt-5', or the model of any provider

/** Answers a request with the skill that fits it, and reports what skills do. */
export async function ask(request: string, onEvent: OnSkillEvent): Promise<string> {
  const catalog = await loadCatalog([fileSource(`${import.meta.dirname}/../skills`)]);
  const toolkit = createToolkit(catalog, { onEvent });
  const agent = new ToolLoopAgent(withSkills({ model, instructions: 'You are a helpful colleague.' }, toolkit));
  const { text } = await agent.generate({ prompt: request });
  return text;
}

if (process.argv[1] === import.meta.filename) {
  console.log(await ask(process.argv[2] ?? 'Which version number does this release get?', console.log));
}
