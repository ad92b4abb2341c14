// The shortest agent with skills in LangChain.

import { createToolkit, loadCatalog, type OnSkillEvent } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { skillsMiddleware } from '@skillful/langchain';
import { createAgent } from 'langchain';
import { model } from './model.ts'; // in your code: 'openai:gpt-5', or any chat model

/** Answers a request with the skill that fits it, and reports what skills do. */
export async function ask(request: string, onEvent: OnSkillEvent): Promise<string> {
  const catalog = await loadCatalog([fileSource(`${import.meta.dirname}/../skills`)]);
  const toolkit = createToolkit(catalog, { onEvent });
  const agent = createAgent({
    model,
    systemPrompt: 'You are a helpful colleague.',
    middleware: [skillsMiddleware(toolkit)],
  });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: request }] });
  return messages.at(-1)?.text ?? '';
}

if (process.argv[1] === import.meta.filename) {
  console.log(await ask(process.argv[2] ?? 'Which version number does this release get?', console.log));
}
