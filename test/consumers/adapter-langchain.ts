// A user of LangChain: one agent run on its fake model, which activates a skill and answers.

import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { skillsMiddleware } from '@skillful/langchain';
import { AIMessage, createAgent, fakeModel } from 'langchain';

const [directory = ''] = process.argv.slice(2);
const toolkit = createToolkit(await loadCatalog([fileSource(directory)]));
const model = fakeModel()
  .respondWithTools([{ name: 'activate_skill', args: { name: 'greeting' }, id: '1' }])
  .respond(new AIMessage('Hello.'));
const offered: unknown[][] = [];
const bind = model.bindTools.bind(model);
model.bindTools = (tools) => {
  offered.push(tools.map((tool) => Object(tool).name));
  return bind(tools);
};
const agent = createAgent({ model, systemPrompt: 'You are kind.', middleware: [skillsMiddleware(toolkit)] });
await agent.invoke({ messages: [{ role: 'user', content: 'Greet me.' }] });

const [first, second] = model.calls;
const system = first?.messages.find((message) => message.type === 'system')?.text;
const activation = second?.messages.find((message) => message.type === 'tool')?.text;
console.log(JSON.stringify({ system, tools: offered[0], activation }));
