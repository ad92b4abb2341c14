// The AI SDK as in production: a server with conversations that last, tenants, approval by a person, and a sub-agent.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import {
  type ConsentStore,
  createToolkit,
  definePolicy,
  filterSource,
  formatDiagnostic,
  loadCatalog,
  type SkillState,
} from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { activeSkills, withSkills } from '@skillful/vercel-ai';
import { generateText, isStepCount, jsonSchema, type ModelMessage, tool } from 'ai';
import { type Request, serve } from '../server.ts'; // in your code: your web framework
import { model } from './model.ts'; // in your code: 'openai/gpt-5', or the model of any provider

const skills = fileSource(`${import.meta.dirname}/../skills`);
const only = (...names: readonly string[]) => loadCatalog([filterSource(skills, ({ name }) => names.includes(name))]);

// Tenants: each has its own skills and its own conversations.
const catalogs = new Map([
  ['north', await only('release-notes', 'commit-messages')],
  ['south', await only('commit-messages')],
]);
for (const { diagnostics } of catalogs.values())
  for (const problem of diagnostics) console.warn(formatDiagnostic(problem));

// A sub-agent: it has skills of its own, and no user, so nobody can name a skill in its messages.
const stopWhen = isStepCount(20);
const analyst = withSkills({ model, stopWhen }, createToolkit(await only('csv-report')), { mentions: false });
const analyse = tool({
  description: 'Asks the analyst about a CSV file or a spreadsheet of data.',
  inputSchema: jsonSchema<{ task: string }>({
    type: 'object',
    properties: { task: { type: 'string' } },
    required: ['task'],
  }),
  execute: async ({ task }) => (await generateText({ ...analyst, prompt: task })).text,
});

/** What is kept of a conversation: the messages, and which skills are active. */
interface Conversation {
  readonly messages: ModelMessage[];
  state?: SkillState;
}

/**
 * Starts the server on a free port. It keeps each conversation in a file; your database has a row for each. Pass a store of questions
 * that writes to it, too, so that the answer to a question counts after a restart, and in every replica.
 */
export function start(directory: string, consents?: ConsentStore): Server {
  mkdirSync(directory, { recursive: true });
  const toolkit = createToolkit<string>(({ request }) => catalogs.get(request) ?? only(), {
    // A person approves each skill.
    policy: definePolicy({ rules: [{ actor: 'model', action: 'activate', effect: 'ask' }] }),
    consent: { store: consents },
    onEvent: ({ about, type }) => console.log(about, type),
  });

  async function answer(tenant: string, { thread, text = '', approve }: Request): Promise<unknown> {
    const file = join(directory, `${tenant}-${encodeURIComponent(thread)}.json`);
    const conversation = load(file);
    const { messages } = conversation;
    if (approve === undefined) messages.push({ role: 'user', content: text });
    else messages.push({ role: 'tool', content: pendingApprovals(messages).map((id) => answerApproval(id, approve)) });

    const options = {
      request: tenant,
      state: conversation.state,
      onState: (state: SkillState) => {
        conversation.state = state;
      },
      about: { tenant },
    };
    const given = withSkills({ model, stopWhen, tools: { analyse } }, toolkit, options);
    const result = await generateText({ ...given, messages });
    messages.push(...result.responseMessages);
    writeFileSync(file, JSON.stringify(conversation));
    const asked = result.content.flatMap((part) => (part.type === 'tool-approval-request' ? [part.toolCall] : []));
    if (asked.length > 0) return { approve: asked };
    const active = await activeSkills(toolkit, messages, { ...options, state: conversation.state });
    return { text: result.text, active: active.map(({ name }) => name) };
  }

  return serve(answer);
}

function load(file: string): Conversation {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Conversation;
  } catch {
    return { messages: [] };
  }
}

/** The approvals that the last message of the model asks for. */
function pendingApprovals(messages: readonly ModelMessage[]): readonly string[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || typeof last.content === 'string') return [];
  return last.content.flatMap((part) => (part.type === 'tool-approval-request' ? [part.approvalId] : []));
}

function answerApproval(approvalId: string, approved: boolean) {
  return { type: 'tool-approval-response' as const, approvalId, approved };
}

if (process.argv[1] === import.meta.filename) start('conversations');
