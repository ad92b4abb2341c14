// Registers the skill tools with an agent, changes each model call, and keeps the state of skills in the graph.

import type { DynamicStructuredTool } from '@langchain/core/tools';
import { Command } from '@langchain/langgraph';
import type { SkillToolInputs, SkillToolkit } from '@skillful/core';
import { type AgentMiddleware, AIMessage, createMiddleware } from 'langchain';
import type * as z from 'zod/v4';
import { createGate } from './approve.ts';
import type { SkillsOptions } from './context.ts';
import { nameOf, prepareModelCall } from './model-call.ts';
import { createStateSchema, readState, stateField } from './state.ts';
import { createTools } from './tools.ts';

/** The name of the middleware, after which the graph names its nodes. */
export const middlewareName: 'AgentSkills' = 'AgentSkills';

/** Middleware for an agent whose `context` has the type that the toolkit's catalog function takes. */
export type SkillsMiddleware<Context = unknown> = AgentMiddleware<
  undefined,
  unknown extends Context ? undefined : z.ZodObject<{ [Key in keyof Context]: z.ZodType<Context[Key], Context[Key]> }>,
  Context,
  readonly SkillTools[keyof SkillTools][]
>;

/** The skill tools by their default names, so that a user interface knows their calls. Which of them exist depends on the catalog. */
type SkillTools = {
  [Name in keyof SkillToolInputs]: DynamicStructuredTool<
    z.ZodType<SkillToolInputs[Name], SkillToolInputs[Name]>,
    SkillToolInputs[Name],
    SkillToolInputs[Name],
    unknown,
    unknown,
    Name
  >;
};

/** Updates with a structured response, by `run`. LangChain refuses two, so the one of an earlier attempt is emptied. */
const responses = new WeakMap<object, Command>();

/**
 * Creates middleware for `createAgent`. Put it last in the list, because it needs the messages as other middleware leaves them.
 * Only middleware that handles errors comes after it. With `allowedTools`, errors of tools leave this middleware as text for the
 * model, so `toolRetryMiddleware` would not get them. LangChain wraps errors of the model in a `MiddlewareError`, so the classes in
 * `retryOn` of `modelRetryMiddleware` would not match.
 *
 * A catalog function receives the `context` of `invoke` or `stream` as its request. If an agent has another tool with the name of
 * a skill tool, its first call rejects with an error of LangChain whose `cause` is `options-invalid`.
 *
 * @throws {SkillError} `framework-too-old`
 */
export function skillsMiddleware<Context = unknown>(
  toolkit: SkillToolkit<Context>,
  options: SkillsOptions<Context> = {},
): SkillsMiddleware<Context> {
  const own = new Set(toolkit.tools.map(({ name }) => name));
  return createMiddleware({
    name: middlewareName,
    stateSchema: createStateSchema(toolkit),
    tools: createTools(toolkit, options, true),
    ...(toolkit.judgesAll && { wrapToolCall: createGate(toolkit, options) }),
    // Changes nothing. It only exists as the node in whose name `decide` updates the state.
    beforeAgent: () => undefined,
    async wrapModelCall(request, handler) {
      const names = request.tools.map(nameOf);
      // Other middleware may have copied a skill tool, so only a second tool with that name belongs to the application.
      toolkit.assertNamesFree(names.filter((name, index) => !own.has(name) || names.indexOf(name) !== index));
      // Middleware may call the model again. Each attempt has the same messages, so they identify the run.
      const { messages: run } = request.state;
      const kept = { run, conversation: run, state: readState(toolkit, request.state), config: request.runtime };
      const { model, messages, systemMessage, tools } = request;
      const call = { ...options, ...kept, model, messages, systemMessage, tools };
      const { state, accept, active: _, ...changed } = await prepareModelCall(toolkit, call);
      const answer = await handler({ ...request, ...changed });
      Object.assign(responses.get(run) ?? {}, { update: {} });
      const update = { [stateField]: state };
      const accepted = await accept(answer);
      // Other middleware sees a corrected answer only if it is returned. Then the tool that it calls stores the state.
      if (AIMessage.isInstance(accepted)) return accepted === answer ? new Command({ update }) : accepted;
      // Only as it is, an object with a structured response stays in one piece, and counts only if other middleware chose it.
      if (JSON.stringify(state.skills) === JSON.stringify(kept.state.skills)) return accepted;
      // The object is also an update, but the node itself adds the model's answer, which is the first message.
      const { messages: said, ...response } = Object(accepted);
      const others = said.length > 1 && { messages: said.slice(1) };
      const command = new Command({ update: { ...response, ...others, ...update } });
      responses.set(run, command);
      return command;
    },
  }) as AgentMiddleware as SkillsMiddleware<Context>;
}
