// LangChain as in production: a server with conversations that last, tenants, approval by a person, and a sub-agent.

import type { Server } from 'node:http';
import { type BaseCheckpointSaver, Command, MemorySaver } from '@langchain/langgraph';
import {
  type ConsentStore,
  createToolkit,
  definePolicy,
  filterSource,
  formatDiagnostic,
  loadCatalog,
} from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { activeSkills, skillsMiddleware } from '@skillful/langchain';
import { createAgent, tool } from 'langchain';
import * as z from 'zod';
import { type Request, serve } from '../server.ts'; // in your code: your web framework
import { model } from './model.ts'; // in your code: 'openai:gpt-5', or any chat model

const skills = fileSource(`${import.meta.dirname}/../skills`);
const only = (...names: readonly string[]) => loadCatalog([filterSource(skills, ({ name }) => names.includes(name))]);

// Tenants: each has its own skills and its own conversations.
const catalogs = new Map([
  ['north', await only('release-notes', 'commit-messages')],
  ['south', await only('commit-messages')],
]);
const contextSchema = z.object({ tenant: z.enum(['north', 'south']) });
type Context = z.infer<typeof contextSchema>;
for (const { diagnostics } of catalogs.values())
  for (const problem of diagnostics) console.warn(formatDiagnostic(problem));

// A sub-agent: it has skills of its own, and no user, so nobody can name a skill in its messages.
const analyst = createAgent({
  model,
  middleware: [skillsMiddleware(createToolkit(await only('csv-report')), { mentions: false })],
});
const analyse = tool(
  async ({ task }: { readonly task: string }) => {
    const { messages } = await analyst.invoke({ messages: [{ role: 'user', content: task }] });
    return messages.at(-1)?.text ?? '';
  },
  {
    name: 'analyse',
    description: 'Asks the analyst about a CSV file or a spreadsheet of data.',
    schema: z.object({ task: z.string() }),
  },
);

/**
 * Starts the server on a free port. Pass a checkpointer and a store of questions that write to your database, so that the answer to a
 * question counts after a restart, and in every replica.
 */
export function start(checkpointer: BaseCheckpointSaver = new MemorySaver(), consents?: ConsentStore): Server {
  const toolkit = createToolkit<Context>(({ request: { tenant } }) => catalogs.get(tenant) ?? only(), {
    // A person approves each skill.
    policy: definePolicy({ rules: [{ actor: 'model', action: 'activate', effect: 'ask' }] }),
    consent: { store: consents },
    onEvent: ({ about, type }) => console.log(about, type),
  });
  const agent = createAgent({
    model,
    tools: [analyse],
    contextSchema,
    checkpointer,
    middleware: [skillsMiddleware(toolkit, { about: ({ tenant }) => ({ tenant }) })],
  });

  async function answer(tenant: string, { thread, text = '', approve }: Request): Promise<unknown> {
    const config = { configurable: { thread_id: `${tenant}/${thread}` }, context: contextSchema.parse({ tenant }) };
    const decision = approve === true ? { type: 'approve' } : { type: 'reject', message: 'The user said no.' };
    const input =
      approve === undefined
        ? { messages: [{ role: 'user' as const, content: text }] }
        : new Command({ resume: { decisions: [decision] } });
    const { messages, __interrupt__: [question] = [] } = await agent.invoke(input, config);
    if (question !== undefined) return { approve: question.value };
    const active = await activeSkills(toolkit, { agent, config });
    return { text: messages.at(-1)?.text, active: active.map(({ name }) => name) };
  }

  return serve(answer);
}

if (process.argv[1] === import.meta.filename) start();
