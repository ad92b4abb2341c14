// An agent that asks a person before it follows a skill or runs a script, and what a browser may show of its run.

import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createToolkit, definePolicy, loadCatalog } from '@skillful/core';
import { fileSource, processRunner } from '@skillful/core/node';
import { withSkills } from '@skillful/mastra';
import { model as chosen } from './model.ts'; // in your code: 'openai/gpt-5', or any other model

const policy = definePolicy({
  rules: [
    { skill: 'incident-review', effect: 'deny' }, // it does not exist
    { skill: 'csv-report', actor: 'model', action: 'activate', effect: 'ask', reason: 'It reads data of customers.' },
  ], // all others are allowed, but each run of a script is asked about
});

/** What a browser shows: words, what happens to skills, and what a person was asked and answered. */
export type Shown =
  | { readonly text: string }
  | { readonly skill: string; readonly happened: string }
  | { readonly question: string; readonly approved: boolean };

/** Holds a conversation as a server does: it sends the browser what it may show, and waits for the person's answers. */
export async function converse(
  request: string,
  agrees: (question: string) => boolean,
  model: MastraModelConfig = chosen,
): Promise<readonly Shown[]> {
  const catalog = await loadCatalog([fileSource(`${import.meta.dirname}/../skills`)]);
  const toolkit = createToolkit(catalog, { policy, runner: processRunner() });
  const config = { id: 'colleague', name: 'Colleague', instructions: 'You are a helpful colleague.', model };
  const agent = new Agent(withSkills(config, toolkit, { streamEvents: true }));
  // What waits is kept here; in your code, in a database.
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });

  const shown: Shown[] = [];
  let run = await agent.stream(request, { maxSteps: 10 });
  for (;;) {
    const questions = new Map<string, string>();
    let waiting: string | undefined;
    for await (const chunk of run.fullStream) {
      if (chunk.type === 'text-delta') shown.push({ text: chunk.payload.text });
      if (chunk.type === 'tool-call-approval') waiting = chunk.payload.toolCallId;
      if (chunk.type !== 'data-skill') continue;
      const { type, skill, call, question } = Object(chunk.data);
      if (question === undefined) shown.push({ skill, happened: type });
      else questions.set(call, question);
    }
    if (waiting === undefined) return shown;
    const question = questions.get(waiting) ?? '';
    const approved = agrees(question);
    shown.push({ question, approved });
    const call = { runId: run.runId, toolCallId: waiting, maxSteps: 10 };
    run = approved ? await agent.approveToolCall(call) : await agent.declineToolCall({ ...call, reason: 'Not now.' });
  }
}

if (process.argv[1] === import.meta.filename) {
  const agrees = (question: string): boolean => {
    console.log(question);
    return true;
  };
  console.log(await converse('Is the mean of this CSV file right?', agrees));
}
