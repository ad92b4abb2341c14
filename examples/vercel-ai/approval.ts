// An agent that asks a person before it follows a skill or runs a script, and whose conversation a browser may show.

import { createToolkit, definePolicy, loadCatalog } from '@skillful/core';
import { fileSource, processRunner } from '@skillful/core/node';
import { type SkillTools, withSkills } from '@skillful/vercel-ai';
import {
  createAgentUIStream,
  type InferUITools,
  isToolUIPart,
  type LanguageModel,
  readUIMessageStream,
  ToolLoopAgent,
  type UIDataTypes,
  type UIMessage,
} from 'ai';
import { model as chosen } from './model.ts'; // in your code: 'openai/gpt-5', or the model of any provider

const policy = definePolicy({
  rules: [
    { skill: 'incident-review', effect: 'deny' }, // it does not exist
    { skill: 'csv-report', actor: 'model', action: 'activate', effect: 'ask', reason: 'It reads data of customers.' },
  ], // all others are allowed, but each run of a script is asked about
});

type ChatMessage = UIMessage<unknown, UIDataTypes, InferUITools<SkillTools>>;

/** Holds a conversation as a browser does: it shows what it is sent, asks, and sends back what the person answered. */
export async function converse(
  request: string,
  agrees: (question: string) => boolean,
  model: LanguageModel = chosen,
): Promise<readonly ChatMessage[]> {
  const catalog = await loadCatalog([fileSource(`${import.meta.dirname}/../skills`)]);
  const toolkit = createToolkit(catalog, { policy, runner: processRunner() });
  const agent = new ToolLoopAgent(withSkills({ model }, toolkit));

  const user: ChatMessage = { id: 'user', role: 'user', parts: [{ type: 'text', text: request }] };
  let answer: ChatMessage | undefined;
  do {
    const uiMessages = answer === undefined ? [user] : [user, answer];
    const stream = await createAgentUIStream({ agent, uiMessages, originalMessages: uiMessages });
    const growing = readUIMessageStream({ stream, ...(answer && { message: answer }) });
    for await (const message of growing) answer = message;
  } while (answer !== undefined && answerQuestions(answer, agrees));
  return answer === undefined ? [user] : [user, answer];
}

/** Answers what the run waits for; says whether there was anything. */
function answerQuestions(message: ChatMessage, agrees: (question: string) => boolean): boolean {
  let isAnswered = false;
  message.parts = message.parts.map((part) => {
    if (!isToolUIPart(part) || part.state !== 'approval-requested') return part;
    isAnswered = true;
    const approved = agrees(part.approval.requestReason ?? '');
    const approval = { ...part.approval, approved, ...(!approved && { reason: 'Not now.' }) };
    return { ...part, state: 'approval-responded', approval };
  });
  return isAnswered;
}

if (process.argv[1] === import.meta.filename) {
  const agrees = (question: string): boolean => {
    console.log(question);
    return true;
  };
  console.log(JSON.stringify(await converse('Is the mean of this CSV file right?', agrees), undefined, 2));
}
