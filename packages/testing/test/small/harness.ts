// Holds conversations through the small adapter, with a model that follows a script.

import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkillState } from '@skillful/core';
import {
  type AdapterHarness,
  lookupResult,
  messagesOfTurn,
  type ObservedCall,
  publishResult,
  type ScriptedTurn,
} from '@skillful/testing/harness';
import { form, type Message, type Model, runAgent, type Tool } from './adapter.ts';

const about = { tenant: 'acme' };
const inputSchema: Tool['inputSchema'] = {
  type: 'object',
  properties: { query: { type: 'string' } },
  required: [],
  additionalProperties: false,
};
const tools: readonly Tool[] = [
  { name: 'lookup', description: 'Looks something up.', inputSchema, run: async () => lookupResult },
  { name: 'publish', description: 'Publishes.', inputSchema, run: async () => publishResult },
];

export const harness: AdapterHarness = {
  framework: 'Small framework',

  async converse({ system, user, script, stream, ...context }) {
    const { model, calls } = scriptedModel(script);
    const messages: Message[] = [{ role: 'user', text: user }];
    await runAgent(model, messages, { ...context, system, tools: [], about });
    return { calls, answer: messages.at(-1)?.text ?? '' };
  },

  async openSession({ toolkit, system, directory, shortens, signal }) {
    const path = join(directory, 'conversation.json');
    let { messages, state }: { messages: Message[]; state?: SkillState } = existsSync(path)
      ? JSON.parse(await readFile(path, 'utf8'))
      : { messages: [] };
    const isOfUser = ({ role }: Message): boolean => role === 'user';
    return {
      async say(user, script) {
        const { model, calls } = scriptedModel(script);
        if (shortens) {
          const recent = messages.filter(isOfUser).at(-3);
          messages = messages.slice(recent && messages.indexOf(recent));
        }
        messages.push({ role: 'user', text: user });
        state = await runAgent(model, messages, { toolkit, system, tools, state, signal, about });
        return { calls, answer: messages.at(-1)?.text ?? '' };
      },
      async decide(decision) {
        state = await toolkit.decide(decision, toolkit.viewMessages(messages, form), { state });
      },
      active: () => toolkit.active(toolkit.viewMessages(messages, form), { state }),
      async forget(turn) {
        const gone = messagesOfTurn(messages, isOfUser, turn);
        messages = messages.filter((message) => !gone.includes(message));
      },
      close: () => writeFile(path, JSON.stringify({ messages, state })),
    };
  },
};

/** Creates a model that follows a script, and records what it is given. */
function scriptedModel(script: readonly ScriptedTurn[]): { readonly model: Model; readonly calls: ObservedCall[] } {
  const calls: ObservedCall[] = [];
  const model: Model = async (system, messages, offered) => {
    const turn = script[calls.length];
    calls.push({
      system,
      tools: offered.map(({ name, description, inputSchema: schema }) => ({ name, description, inputSchema: schema })),
      messages: messages.map(({ role, text }) => ({ role, text })),
      results: messages.flatMap(({ role, text }) => (role === 'tool' ? [text] : [])),
      files: messages.flatMap(({ files = [] }) => files.map(({ mediaType, data }) => ({ mediaType, data }))),
    });
    if (turn === undefined) throw new Error('The script is over.');
    if ('text' in turn) return { role: 'assistant', text: turn.text };
    const called = turn.calls.map(({ tool, input, id = crypto.randomUUID() }) => ({ id, name: tool, input }));
    return { role: 'assistant', text: '', calls: called };
  };
  return { model, calls };
}
