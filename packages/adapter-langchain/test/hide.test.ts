// Instructions that only the model reads, because a browser may get the messages.

import { MemorySaver } from '@langchain/langgraph';
import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { type BaseMessage, createAgent } from 'langchain';
import { expect, it } from 'vitest';
import { skillsMiddleware } from '../src/index.ts';
import { activate, modelThatCalls, thread, user } from './support.ts';

const source = memorySource({
  'report/SKILL.md':
    '---\nname: report\ndescription: Writes reports.\nargument-hint: TOPIC\n---\nREPORT-BODY about $ARGUMENTS\n',
  'report/guide.md': 'Begin with the result.\n',
  'notes/SKILL.md': '---\nname: notes\ndescription: Writes notes.\n---\nNOTES-BODY\n',
});
const toolkit = createToolkit(await loadCatalog([source]), { tools: { deactivate: true } });

/** Holds a conversation in which the model and the user activate skills, some of them twice, and end one. */
async function converse(hidesInstructions: boolean) {
  const checkpointer = new MemorySaver();
  const end = { name: 'deactivate_skill', args: { name: 'notes' } };
  const withArguments = { name: 'activate_skill', args: { name: 'report', arguments: 'sales' } };
  const prompts: (readonly string[])[] = [];
  const sent: unknown[] = [];
  const turns = [
    ['Write.', [activate('report')], [activate('report'), activate('notes')]],
    ['/notes', [activate('notes')], [withArguments]],
    ['/report costs', [end]],
  ] as const;
  for (const [text, ...steps] of turns) {
    const model = modelThatCalls(...steps);
    const middleware = [skillsMiddleware(toolkit, { hidesInstructions })];
    const { graph } = createAgent({ model, checkpointer, middleware });
    const modes = ['values', 'updates', 'messages', 'debug'] as const;
    const stream = await graph.stream(user(text), { ...thread('one'), streamMode: [...modes] });
    for await (const chunk of stream) sent.push(chunk);
    sent.push(await graph.getState(thread('one')));
    prompts.push(...model.calls.map(({ messages }) => messages.map((message: BaseMessage) => message.text)));
  }
  return { prompts, sent: JSON.stringify(sent) };
}

it('are in no stream and no state, and the model reads the same as without that', async () => {
  const [full, hidden] = [await converse(false), await converse(true)];
  expect(full.sent).toMatch(/REPORT-BODY|NOTES-BODY/);
  expect(full.prompts.flat().join('\n')).toMatch(/REPORT-BODY about sales[\s\S]*REPORT-BODY about costs/);
  expect(hidden.prompts).toEqual(full.prompts);
  expect(hidden.sent).not.toMatch(/-BODY|guide\.md|Directory/);
  expect(hidden.sent).toContain('"<skill_content name=\\"report\\"');
});
