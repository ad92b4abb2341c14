// The shortest agent with skills in Mastra.

import { Agent } from '@mastra/core/agent';
import { createToolkit, loadCatalog, type OnSkillEvent } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { withSkills } from '@skillful/mastra';
import { model } from './model.ts'; // in your code: 'openai/gpt-5', or any model that Mastra takes

/** Answers a request with the skill that fits it, and reports what skills do. */
export async function ask(request: string, onEvent: OnSkillEvent): Promise<string> {
  const catalog = await loadCatalog([fileSource(`${import.meta.dirname}/../skills`)]);
  const toolkit = createToolkit(catalog, { onEvent });
  const config = { id: 'colleague', name: 'Colleague', instructions: 'You are a helpful colleague.', model };
  const agent = new Agent(withSkills(config, toolkit));
  const { text } = await agent.generate(request);
  return text;
}

if (process.argv[1] === import.meta.filename) {
  console.log(await ask(process.argv[2] ?? 'Which version number does this release get?', console.log));
}
