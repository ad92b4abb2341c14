// Registers the skill tools with an agent, changes each model call, and keeps the state of skills in the graph.

import type { DynamicStructuredTool } from '@langchain/core/tools';
import { Command } from '@langchain/langgraph';
import type { SkillState, SkillToolInputs, SkillToolkit } from '@skillful/core';
import { type AgentMiddleware, AIMessage, createMiddleware } from 'langchain';
import type * as z from 'zod/v4';
import { createGate } from './approve.ts';
import { branchOf, type NodeConfig, type SkillsOptions } from './context.ts';
import { nameOf, prepareModelCall } from './model-call.ts';
import { createStateSchema, stateField, stateIn } from './state.ts';
import { createTools } from './tools.ts';

/** The name of the middleware, after which the graph names its nodes. */
export const middlewareName: 'AgentSkills' = 'AgentSkills';

/** Middleware for an agent whose `context` has the type that the toolkit's catalog function takes. */
export type SkillsMiddleware<Context = unknown> = AgentMiddleware<
  // Without a state, LangChain's types accept no call of the agent unless `strictNullChecks` is on.
  ReturnType<typeof createStateSchema>,
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

/**
 * The states after calls with a structured response, by the last message that the model read. Other conversations may share it, so each
 * state also has its place.
 */
const states = new WeakMap<object, Map<string, SkillState>>();

function placeOf(runtime: NodeConfig): string {
  return JSON.stringify([Object(runtime.configurable).thread_id, branchOf(runtime)]);
}

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
    // Changes nothing. It exists only so that `decide` can update the state in the name of this node.
    beforeAgent: () => undefined,
    async wrapModelCall(request, handler) {
      const names = request.tools.map(nameOf);
      // Other middleware may have copied a skill tool, so only a second tool with that name belongs to the application.
      toolkit.assertNamesFree(names.filter((name, index) => !own.has(name) || names.indexOf(name) !== index));
      // Middleware may call the model again. Each attempt has the same messages, so they identify the run.
      const { messages: run } = request.state;
      const kept = { run, conversation: run, state: stateIn(toolkit, request.state), config: request.runtime };
      const { model, messages, systemMessage, tools } = request;
      const call = { ...options, ...kept, model, messages, systemMessage, tools };
      const { state, accept, active: _, ...changed } = await prepareModelCall(toolkit, call);
      const answer = await handler({ ...request, ...changed });
      const accepted = await accept(answer);
      // Other middleware sees a corrected answer only if it is returned. Then the tool that it calls stores the state.
      if (AIMessage.isInstance(accepted))
        return accepted === answer ? new Command({ update: { [stateField]: state } }) : accepted;
      // In place of a `Command`, other middleware would get the model's message, and could not refuse the structured response.
      // So `afterAgent` stores the state.
      const asked = Object(run.at(-1));
      states.set(asked, (states.get(asked) ?? new Map()).set(placeOf(request.runtime), state));
      return accepted;
    },
    afterAgent({ messages }, runtime): object | undefined {
      const place = placeOf(runtime);
      // Other middleware may replace the answer, or add messages.
      const asked = messages.findLast((message) => states.get(message)?.has(place));
      return asked && { [stateField]: states.get(asked)?.get(place) };
    },
  }) as AgentMiddleware as SkillsMiddleware<Context>;
}
