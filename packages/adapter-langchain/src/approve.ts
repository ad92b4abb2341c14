// Asks a person before a call, in the form of LangChain's human-in-the-loop middleware, and refuses denied calls.

import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { getConfig, interrupt, isGraphBubbleUp } from '@langchain/langgraph';
import type { Judgement, SkillContext, SkillToolkit, SkillToolResult } from '@skillful/core';
import { type AgentMiddleware, type HITLRequest, ToolInvocationError, ToolMessage } from 'langchain';
import { findContext } from './calls.ts';
import { createContext, type NodeConfig, optionNames, type SkillsOptions } from './context.ts';
import { viewMessages } from './messages.ts';
import { stateIn } from './state.ts';

/** A tool call, in the form that LangChain passes to middleware. */
export interface ToolCallRequest {
  readonly toolCall: { readonly name: string; readonly args: unknown; readonly id?: string | undefined };
  readonly state: unknown;
  readonly runtime: NodeConfig;
}

/** Returns the context of a tool call in an agent, for the core. */
export function toolContext(
  toolkit: SkillToolkit,
  { toolCall: { id }, state, runtime }: ToolCallRequest,
  options: SkillsOptions,
): SkillContext {
  const messages: readonly BaseMessage[] = Object(state).messages ?? [];
  const answer = messages.findLast((message) => AIMessage.isInstance(message));
  const siblings = answer?.tool_calls?.map(({ name, args: input }) => ({ name, input }));
  const known = createContext(runtime, options);
  const conversation = { messages: viewMessages(messages, toolkit), state: stateIn(toolkit, state) };
  const { run = {}, offered } = findContext(answer, known);
  return { ...known, run, offered, ...conversation, call: id, siblings };
}

/**
 * Refuses a call that is denied, or to which a person did not agree. Pauses the graph until a person has answered. Without a
 * checkpointer it cannot pause, and the call is refused.
 *
 * @param report receives why an answer does not count
 */
export function refuseCall(
  { name, args }: ToolCallRequest['toolCall'],
  judgement: Judgement,
  canPause: boolean,
  report: (error: unknown) => void,
): SkillToolResult | undefined {
  if (judgement.effect === 'none' || judgement.effect === 'approve') return undefined;
  const unasked = refuse('approval-needed', judgement.text);
  if (judgement.effect === 'deny' || !canPause) return unasked;
  const { question, isNew, refusal } = judgement;
  const request: HITLRequest = {
    actionRequests: [{ name, args: Object(args), description: question.text }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
  };
  try {
    const { type, message } = checkAnswer(interrupt(request));
    // A client may send anything as the reason.
    const reason = typeof message === 'string' && message;
    if (type === 'reject') return refuse('approval-denied', reason || refusal);
    // A new question cannot have an answer yet.
    if (isNew) throw new Error('The answer belongs to another question.');
    return undefined;
  } catch (error) {
    if (isGraphBubbleUp(error)) throw error;
    // There is no checkpointer, or the answer does not count.
    report(error);
    return unasked;
  }
}

function refuse(code: string, text: string): SkillToolResult {
  return { text, isError: true, files: [], details: { kind: 'refusal', code } };
}

/** Reads the answer to a question, which a client may have made up. Throws unless it is one yes or no. */
function checkAnswer(answer: unknown): { readonly type: 'approve' | 'reject'; readonly message?: unknown } {
  const { decisions } = Object(answer);
  const [decision, ...others] = Array.isArray(decisions) ? decisions : [];
  const { type, message } = Object(decision);
  if ((type === 'approve' && others.length === 0) || type === 'reject') return { type, message };
  throw new Error('The answer to a question must be `{ decisions: [{ type }] }` with one `approve` or `reject`.');
}

/** Judges a call of an application's tool. Asks no one about skill tools, because no one would see the question. */
function judgeOther(
  toolkit: SkillToolkit,
  request: ToolCallRequest,
  options: SkillsOptions,
  judging: { readonly judgesAgain?: boolean } = {},
): Promise<Judgement> {
  const { name, args: input } = request.toolCall;
  return toolkit.judge({ name, input }, { ...toolContext(toolkit, request, options), asks: false }, judging);
}

/** Creates a hook that refuses calls of the application's tools that skills deny. Tool errors reach the model as usual. */
export function createGate(
  toolkit: SkillToolkit,
  options: SkillsOptions,
): NonNullable<AgentMiddleware['wrapToolCall']> {
  return async (request, handler) => {
    const { name, id = '' } = request.toolCall;
    const answer = (content: string) => new ToolMessage({ name, content, tool_call_id: id, status: 'error' });
    const judgement = await judgeOther(toolkit, request, options);
    if (judgement.effect === 'deny') return answer(judgement.text);
    try {
      return await handler(request);
    } catch (error) {
      if (isGraphBubbleUp(error) || request.runtime.signal?.aborted) throw error;
      // The texts of LangChain's tool node for an error if no middleware wraps its calls.
      const isInvalid = error instanceof ToolInvocationError;
      return answer(isInvalid ? error.message : `${error}\n Please fix your mistakes.`);
    }
  };
}

/**
 * Returns the option `when` for `humanInTheLoopMiddleware` (LangChain 1.5), so that no one is asked about calls that active
 * skills approve or deny.
 */
export function unlessApproved(
  toolkit: SkillToolkit,
  options: SkillsOptions = {},
): (request: ToolCallRequest) => Promise<boolean> {
  toolkit.assertOptions(options, optionNames);
  return async (request) => {
    // LangChain passes the options of its own middleware as `context`, not what the caller passed.
    const { context } = Object(getConfig() ?? request.runtime);
    const known = { ...request, runtime: { ...request.runtime, context } };
    const { effect } = await judgeOther(toolkit, known, options, { judgesAgain: true });
    return effect !== 'approve' && effect !== 'deny';
  };
}
