// Asks people with the AI SDK's own approval before a tool is called: `needsApproval` of 6, `toolApproval` of 7.

import type { Judgement, SkillToolkit } from '@skillful/core';
import type { ToolLoopAgentSettings, ToolSet } from 'ai';
import type { SkillsOptions } from './options.ts';
import { type CallOptions, contextOf, isAnswered, type Runs } from './runs.ts';

/** Judges a call before it runs. */
export type Foresee = (name: string, input: unknown, call: CallOptions) => Promise<Judgement>;

type Asking = Pick<ToolSet[string], 'needsApproval'>;
type NeedsApproval = Exclude<Asking['needsApproval'], boolean | undefined>;
type Settings = Pick<ToolLoopAgentSettings<never, ToolSet>, 'toolApproval' | 'tools'>;
type Configuration = NonNullable<Settings['toolApproval']>;
type OfOneTool = Exclude<Configuration, (...given: never[]) => unknown>[string];
type Status = Exclude<OfOneTool, (...given: never[]) => unknown>;

/** Creates the judge of calls. It never throws, because an error in a hook of the AI SDK ends the run. */
export function createForesight(toolkit: SkillToolkit, options: SkillsOptions, runs: Runs): Foresee {
  return async (name, input, given) => {
    const call = { name, input };
    // Asking again would record a question, and a client's answer to no question would then count for it.
    const asks = options.asks !== false && !isAnswered(given);
    try {
      return await toolkit.judge(call, { ...options, ...contextOf(call, given, { toolkit, runs }), asks });
    } catch (error) {
      return { effect: 'deny', text: String(error) };
    }
  };
}

/** Creates the `needsApproval` of a tool; the tool's own still counts. */
export function createNeedsApproval(name: string, tool: Asking, foresee: Foresee): NeedsApproval {
  return async (input, call) => {
    const status = await decide(await foresee(name, input, call), () => askTool(tool, input, call));
    return typeOf(status) === 'user-approval';
  };
}

/** Creates `toolApproval`; the application's own, and each tool's `needsApproval`, which it replaces, still count. */
export function createToolApproval(
  { toolApproval: own, tools: ownTools = {} }: Settings,
  tools: ToolSet,
  foresee: Foresee,
): Configuration {
  if (typeof own === 'function') {
    return async (given) => {
      const { toolName, input, toolCallId } = given.toolCall;
      const { messages } = given;
      return decide(await foresee(toolName, input, { toolCallId, messages }), () => own(given));
    };
  }
  const askOwn = (name: string): OfOneTool => {
    const ofApplication = own?.[name];
    return async (input, { toolContext: context, ...call }) =>
      decide(await foresee(name, input, call), () => {
        if (typeof ofApplication === 'function') return ofApplication(input, { toolContext: context, ...call });
        return ofApplication ?? askTool(ownTools[name], input, { ...call, context });
      });
  };
  return Object.fromEntries(Object.keys(tools).map((name) => [name, askOwn(name)]));
}

/** A denial by either side counts first, then a question of the policy; a skill's approval answers the application's question. */
async function decide(judgement: Judgement, askApplication: () => Status | PromiseLike<Status>): Promise<Status> {
  if (judgement.effect === 'deny') return { type: 'denied', reason: judgement.text };
  const status = await askApplication();
  if (judgement.effect === 'ask' && typeOf(status) !== 'denied')
    return { type: 'user-approval', reason: judgement.question.text };
  return judgement.effect === 'approve' && typeOf(status) === 'user-approval' ? undefined : status;
}

function typeOf(status: Status): string | undefined {
  return typeof status === 'object' ? status.type : status;
}

/** Asks a tool of the application whether it needs an approval. */
async function askTool({ needsApproval = false }: Asking = {}, ...call: Parameters<NeedsApproval>): Promise<Status> {
  const asks = typeof needsApproval === 'function' ? await needsApproval(...call) : needsApproval;
  return asks ? 'user-approval' : undefined;
}
