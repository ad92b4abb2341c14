// Asks people with the approval of the AI SDK before a tool runs: `needsApproval` in version 6, `toolApproval` in 7.

import type { Judgement } from '@skillful/core';
import type { SingleToolApprovalFunction, ToolApprovalStatus as Status, ToolApprovalConfiguration, ToolSet } from 'ai';
import { type CallOptions, type Calls, isAnswered } from './calls.ts';

type Asking = Pick<ToolSet[string], 'needsApproval'>;
type NeedsApproval = Exclude<Asking['needsApproval'], boolean | undefined>;
type Configuration = ToolApprovalConfiguration<ToolSet, Record<string, unknown>>;

/** A skill tool. Only the policy asks about it, and its `execute` checks the answer. */
const skillTool: Asking = { needsApproval: (_: unknown, call: CallOptions) => isAnswered(call) };

/**
 * Creates the `needsApproval` of a tool. The tool's own `needsApproval` still counts. AI SDK 6 runs an answered call only if it
 * still needs the answer. Then `execute` tells the model why a call is refused.
 */
export function createNeedsApproval(name: string, { judge }: Calls, tool: Asking = skillTool): NeedsApproval {
  return async (input, call) => {
    const judgement = await judge(name, input, call, { judgesAgain: true });
    const status = typeOf(await decide(judgement, () => askTool(tool, input, call)));
    return status === 'user-approval' || (status === 'denied' && isAnswered(call));
  };
}

/**
 * Creates `toolApproval`. The application's own `toolApproval`, and the `needsApproval` of each tool, which this replaces, still
 * count.
 */
export function createToolApproval(
  { toolApproval: own = {}, tools: ownTools = {} }: { toolApproval?: Configuration; tools?: ToolSet },
  tools: ToolSet,
  { judge }: Calls,
): Configuration {
  if (typeof own === 'function') {
    return async (given) => {
      const { toolName, input, toolCallId } = given.toolCall;
      const { messages } = given;
      return decide(await judge(toolName, input, { toolCallId, messages }), () => own(given));
    };
  }
  const askOwn = (name: string): SingleToolApprovalFunction<unknown, never, Record<string, unknown>> => {
    const ofApplication = Object.hasOwn(own, name) ? own[name] : undefined;
    return async (input, call) =>
      decide(await judge(name, input, call), () => {
        if (typeof ofApplication === 'function') return ofApplication(input, call);
        return ofApplication ?? askTool(ownTools[name], input, { ...call, context: call.toolContext });
      });
  };
  return Object.fromEntries(Object.keys(tools).map((name) => [name, askOwn(name)]));
}

/**
 * Combines both decisions: a denial by either side counts first, then a question of the policy. If a skill approves, the
 * application does not ask.
 */
async function decide(judgement: Judgement, askApplication: () => Status | PromiseLike<Status>): Promise<Status> {
  if (judgement.effect === 'deny') return { type: 'denied', reason: judgement.text };
  const status = await askApplication();
  if (judgement.effect === 'ask' && typeOf(status) !== 'denied')
    return { type: 'user-approval', reason: judgement.question.text };
  return judgement.effect === 'approve' && typeOf(status) === 'user-approval' ? undefined : status;
}

function typeOf(status: Status): unknown {
  return Object(status).type ?? status;
}

/** Asks a tool of the application whether it needs an approval. */
async function askTool({ needsApproval = false }: Asking = {}, ...call: Parameters<NeedsApproval>): Promise<Status> {
  const asks = typeof needsApproval === 'function' ? await needsApproval(...call) : needsApproval;
  return asks ? 'user-approval' : undefined;
}
