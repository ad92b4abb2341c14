// Mastra as in production: a server with conversations that last, tenants, approval by a person, and a sub-agent.

import type { Server } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { LibSQLStore } from '@mastra/libsql';
import { Memory } from '@mastra/memory';
import {
  type ConsentStore,
  createToolkit,
  definePolicy,
  filterSource,
  formatDiagnostic,
  loadCatalog,
} from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { activeSkills, withSkills } from '@skillful/mastra';
import * as z from 'zod';
import { type Request, serve } from '../server.ts'; // in your code: your web framework
import { model } from './model.ts'; // in your code: 'openai/gpt-5', or any model that Mastra takes

const skills = fileSource(`${import.meta.dirname}/../skills`);
const only = (...names: readonly string[]) => loadCatalog([filterSource(skills, ({ name }) => names.includes(name))]);

// Tenants: each has its own skills and its own conversations.
const catalogs = new Map([
  ['north', await only('release-notes', 'commit-messages')],
  ['south', await only('commit-messages')],
]);
for (const { diagnostics } of catalogs.values())
  for (const problem of diagnostics) console.warn(formatDiagnostic(problem));
const tenantOf = (request: unknown) => (request instanceof RequestContext ? String(request.get('tenant')) : '');

// A sub-agent: it has skills of its own, and no user, so nobody can name a skill in its messages.
const analystConfig = { id: 'analyst', name: 'Analyst', instructions: 'You analyse data.', model };
const analyst = new Agent(withSkills(analystConfig, createToolkit(await only('csv-report')), { mentions: false }));
const analyse = createTool({
  id: 'analyse',
  description: 'Asks the analyst about a CSV file or a spreadsheet of data.',
  inputSchema: z.object({ task: z.string() }),
  execute: async ({ task }) => (await analyst.generate(task)).text,
});

/** Keeps what a person was asked in a table, so that their answer counts after a restart, and in every replica. */
function openConsents(path: string): ConsentStore {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE IF NOT EXISTS consents (key TEXT PRIMARY KEY, record TEXT NOT NULL)');
  const get = database.prepare('SELECT record FROM consents WHERE key = ?');
  const set = database.prepare('INSERT OR REPLACE INTO consents VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM consents WHERE key = ?');
  return {
    get: (key) => JSON.parse(String(get.get(key)?.['record'] ?? null)),
    set: (key, record) => set.run(key, JSON.stringify(record)),
    delete: (key) => remove.run(key).changes > 0,
  };
}

/** Starts the server on a free port, with databases for its conversations and for what waits for a person. */
export function start(directory: string): Server {
  const toolkit = createToolkit(({ request }) => catalogs.get(tenantOf(request)) ?? only(), {
    onEvent: ({ about, type }) => console.log(about?.tenant, type),
    // A person approves each skill.
    policy: definePolicy({ rules: [{ actor: 'model', action: 'activate', effect: 'ask' }] }),
    consent: { store: openConsents(join(directory, 'consents.db')) },
  });
  const storage = new LibSQLStore({ id: 'production', url: `file:${join(directory, 'chat.db')}` });
  const config = { id: 'colleague', name: 'Colleague', instructions: 'You are a helpful colleague.', model };
  const memory = new Memory({ storage });
  const settings = { ...config, memory, tools: { analyse } };
  const agent = new Agent(withSkills(settings, toolkit, { about: (context) => ({ tenant: tenantOf(context) }) }));
  new Mastra({ agents: { agent }, storage, logger: false });

  async function answer(tenant: string, { thread, text = '', approve }: Request): Promise<unknown> {
    const threadId = `${tenant}/${thread}`;
    const options = {
      memory: { thread: threadId, resource: tenant },
      requestContext: new RequestContext([['tenant', tenant]]),
    };
    // Mastra keeps the runs that wait for a person.
    const { runs } = await agent.listSuspendedRuns({ threadId, resourceId: tenant });
    const [run] = runs.map(({ runId, toolCalls: [call] }) => ({ ...options, runId, toolCallId: call?.toolCallId }));
    let result: Awaited<ReturnType<typeof agent.generate>>;
    if (approve === undefined || run === undefined) result = await agent.generate(text, options);
    else if (approve) result = await agent.approveToolCallGenerate(run);
    else result = await agent.declineToolCallGenerate(run);
    if (result.finishReason === 'suspended') {
      const { toolName, args } = result.suspendPayload;
      return { approve: [{ toolName, input: args }] };
    }
    const active = await activeSkills(toolkit, { memory, threadId });
    return { text: result.text, active: active.map(({ name }) => name) };
  }

  return serve(answer);
}

if (process.argv[1] === import.meta.filename) start('.');
