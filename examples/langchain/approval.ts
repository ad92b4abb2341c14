// An agent that asks a person before it follows a skill or runs a script, and what a browser may show of its run.

import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createToolkit, definePolicy, loadCatalog, type SkillNews } from '@skillful/core';
import { fileSource, processRunner } from '@skillful/core/node';
import { skillsMiddleware } from '@skillful/langchain';
import { createAgent, type HITLRequest } from 'langchain';
import { model as chosen } from './model.ts'; // in your code: any chat model

const policy = definePolicy({
  rules: [
    { skill: 'incident-review', effect: 'deny' }, // it does not exist
    { skill: 'csv-report', actor: 'model', action: 'activate', effect: 'ask', reason: 'It reads data of customers.' },
  ], // all others are allowed, but each run of a script is asked about
});

/** What a browser shows: words, what happens to skills, and what a person was asked and answered. */
export type Shown = { readonly text: string } | SkillNews | { readonly question: string; readonly approved: boolean };

/** Holds a conversation as a server does: it sends the browser what it may show, and waits for the person's answers. */
export async function converse(
  request: string,
  agrees: (question: string) => boolean,
  model: BaseChatModel = chosen,
): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  const catalog = await loadCatalog([fileSource(`${import.meta.dirname}/../skills`)]);
  const toolkit = createToolkit(catalog, {
    policy,
    runner: processRunner(),
    onEvent(event) {
      const news = toolkit.newsOf(event);
      if (news !== undefined && news.type !== 'approval-needed') shown.push(news);
    },
  });
  // What waits is kept in the checkpointer; in your code, in a database.
  const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [skillsMiddleware(toolkit)] });
  const config = { configurable: { thread_id: 'one' } };

  let run = await agent.invoke({ messages: [{ role: 'user', content: request }] }, config);
  for (;;) {
    const { __interrupt__: interrupts = [] } = run as { __interrupt__?: { value: HITLRequest }[] };
    const question = interrupts[0]?.value.actionRequests[0]?.description;
    if (question === undefined) return [...shown, { text: run.messages.at(-1)?.text ?? '' }];
    const approved = agrees(question);
    shown.push({ question, approved });
    const decision = approved ? { type: 'approve' } : { type: 'reject', message: 'Not now.' };
    run = await agent.invoke(new Command({ resume: { decisions: [decision] } }), config);
  }
}

if (process.argv[1] === import.meta.filename) {
  const agrees = (question: string): boolean => {
    console.log(question);
    return true;
  };
  console.log(await converse('Is the mean of this CSV file right?', agrees));
}
