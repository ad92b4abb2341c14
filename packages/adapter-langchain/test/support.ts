// Models that play a script, and what they were given, for tests with agents.

import type { BaseMessage } from '@langchain/core/messages';
import { createToolkit, loadCatalog, memorySource, type SkillToolkit, type ToolkitOptions } from '@skillful/core';
import * as langchain from 'langchain';
import { type AgentMiddleware, AIMessage, type fakeModel as FakeModel, fakeModel, tool } from 'langchain';

export type Model = ReturnType<typeof FakeModel>;

/**
 * LangChain 1.3 and LangGraph 1.2: questions have no `when`, a node of tools in a graph of one's own is given no state, and a
 * stream of messages has no results of tools.
 */
export const isOld = !('toolErrorMiddleware' in langchain);

const skill = (name: string, body: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Writes ${name}.\n${more}---\n${body}\n`;

/** `report` and `notes` for everybody, `mail` with arguments, `deploy` for users only, `policy` for the application only. */
const source = memorySource({
  'report/SKILL.md': skill('report', 'REPORT-BODY'),
  'report/assets/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]),
  'notes/SKILL.md': skill('notes', 'NOTES-BODY'),
  'mail/SKILL.md': skill('mail', 'MAIL-BODY to $ARGUMENTS.'),
  'deploy/SKILL.md': skill('deploy', 'DEPLOY-BODY', 'disable-model-invocation: true\n'),
  'policy/SKILL.md': skill('policy', 'POLICY-BODY', 'disable-model-invocation: true\nuser-invocable: false\n'),
});

export const catalog = await loadCatalog([source]);

export function toolkitOf(options: ToolkitOptions = {}): SkillToolkit {
  return createToolkit(catalog, options);
}

export interface Call {
  readonly name: string;
  readonly args: unknown;
}

export const activate = (name: string): Call => ({ name: 'activate_skill', args: { name } });
export const lookUp: Call = { name: 'lookup', args: {} };
export const lookup = tool(async () => 'found', {
  name: 'lookup',
  description: 'Looks something up.',
  schema: { type: 'object', properties: {} },
});

/** Creates a message of the model that makes calls. */
export function calling(...calls: readonly Call[]): AIMessage {
  const tool_calls = calls.map(({ name, args }) => ({
    name,
    args: args as object,
    id: crypto.randomUUID(),
    type: 'tool_call' as const,
  }));
  return new AIMessage({ content: '', tool_calls });
}

/** A model that makes the calls of one step after the other, and then says that it is done, again and again. */
export function modelThatCalls(...steps: readonly (readonly Call[])[]): Model {
  const model = fakeModel();
  for (const calls of steps) model.respond(calling(...calls));
  for (let turn = 0; turn < 8; turn++) model.respond(new AIMessage('Done.'));
  return model;
}

/** LangChain's types of its own middleware do not hold under `exactOptionalPropertyTypes`. */
export function use(create: unknown, ...options: readonly unknown[]): AgentMiddleware {
  return (create as (...options: readonly unknown[]) => AgentMiddleware)(...options);
}

export const user = (content: string) => ({ messages: [{ role: 'user' as const, content }] });
export const thread = (id: string) => ({ configurable: { thread_id: id } });

/** The messages of a call of a model, by default of the latest one. */
export function given(model: Model, call = -1): readonly BaseMessage[] {
  return model.calls.at(call)?.messages ?? [];
}

export function systemOf(model: Model): string {
  return given(model).find(({ type }) => type === 'system')?.text ?? '';
}

/** The instructions that the model had before it in a call, by the type of message, in order. */
export function bodiesIn(model: Model, call = -1): readonly string[] {
  return given(model, call).flatMap(({ type, text }) =>
    [...text.matchAll(/([A-Z]+)-BODY(?: to ([^.]*))?/g)].map(([, name, to = '']) => `${type} ${name} ${to}`.trim()),
  );
}
