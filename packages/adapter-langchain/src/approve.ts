// Asks a person before a call, in the form of LangChain's human-in-the-loop middleware, and refuses denied calls.

import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { interrupt, isGraphBubbleUp } from '@langchain/langgraph';
import type { Judgement, SkillContext, SkillToolkit } from '@skillful/core';
import { type AgentMiddleware, type HITLRequest, type HITLResponse, ToolInvocationError, ToolMessage } from 'langchain';
import { createContext, findCall, type NodeConfig, type SkillsOptions } from './context.ts';
import { viewMessages } from './messages.ts';
import { readState } from './state.ts';

/** A tool call, as LangChain shows it to the tool's node and to other middleware. */
export interface ToolCallRequest {
  readonly toolCall: { readonly name: string; readonly args: unknown; readonly id?: string | undefined };
  readonly state: unknown;
  readonly runtime: NodeConfig;
}

/** Returns what the core needs to know about a call in the node of an agent's tools. */
export function toolContext(
  toolkit: SkillToolkit,
  { toolCall: { id }, state, runtime }: ToolCallRequest,
  options: SkillsOptions,
): SkillContext {
  const messages: readonly BaseMessage[] = Object(state).messages ?? [];
  const answer = messages.findLast((message) => AIMessage.isInstance(message));
  const siblings = answer?.tool_calls?.map(({ name, args: input }) => ({ name, input }));
  const known = createContext(runtime, options);
  const conversation = { messages: viewMessages(messages, toolkit), state: readState(toolkit, state) };
  return { ...known, ...findCall(answer, known), ...conversation, call: id, siblings };
}

/**
 * Returns what the model reads instead of a result if the call is denied or nobody agreed to it. The graph pauses until a person
 * has answered; without a checkpointer it cannot, and the answer is no.
 */
export function refuseCall(
  { name, args }: ToolCallRequest['toolCall'],
  judgement: Judgement,
  canPause: boolean,
): string | undefined {
  if (judgement.effect === 'none' || judgement.effect === 'approve') return undefined;
  if (judgement.effect === 'deny' || !canPause) return judgement.text;
  const { question, isNew, text } = judgement;
  const request: HITLRequest = {
    actionRequests: [{ name, args: Object(args), description: question.text }],
    reviewConfigs: [{ actionName: name, allowedDecisions: ['approve', 'reject'] }],
  };
  try {
    const { decisions = [] }: Partial<HITLResponse> = Object(interrupt(request));
    const [decision] = decisions;
    // A new question cannot have an answer yet: this one was given to another question.
    if (decision?.type === 'approve' && decisions.length === 1 && !isNew) return undefined;
    return (decision?.type === 'reject' && decision.message) || text;
  } catch (error) {
    if (isGraphBubbleUp(error)) throw error;
    return text;
  }
}

/** Judges a call for the application's tools. It asks nothing: nobody would see a question about the toolkit's own tools. */
function judgeOther(toolkit: SkillToolkit, request: ToolCallRequest, options: SkillsOptions): Promise<Judgement> {
  const { name, args: input } = request.toolCall;
  return toolkit.judge({ name, input }, { ...toolContext(toolkit, request, options), asks: false });
}

/** Refuses calls of the application's tools that skills deny. Tool errors reach the model as they would without it. */
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
      // What LangChain's tool node says about an error if no middleware wraps its calls.
      const isInvalid = error instanceof ToolInvocationError;
      return answer(isInvalid ? error.message : `${error}\n Please fix your mistakes.`);
    }
  };
}

/**
 * Returns the option `when` of `humanInTheLoopMiddleware` (LangChain 1.5): nobody is asked about calls that active skills
 * approve or deny.
 */
export function unlessApproved(
  toolkit: SkillToolkit,
  options: SkillsOptions = {},
): (request: ToolCallRequest) => Promise<boolean> {
  return async (request) => {
    const { effect } = await judgeOther(toolkit, request, options);
    return effect !== 'approve' && effect !== 'deny';
  };
}
