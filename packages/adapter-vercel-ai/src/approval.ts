// Asks people with the AI SDK's own approval, before a tool is called.

import type { Judgement, SkillToolkit } from '@skillful/core';
import type { ToolSet } from 'ai';
import type { SkillsOptions } from './options.ts';
import { type CallOptions, contextOf, isAnswered, type Runs } from './runs.ts';

/** Says what comes of a call before it runs. */
export type Foresee = (name: string, input: unknown, call: CallOptions) => Promise<Judgement>;

type AnyTool = ToolSet[string];
type NeedsApproval = Exclude<AnyTool['needsApproval'], boolean | undefined>;

/** Creates the judge of the calls of some runs. It does not throw, because an error in a hook of the AI SDK ends the run. */
export function createForesight(toolkit: SkillToolkit, options: SkillsOptions, runs: Runs): Foresee {
  return async (name, input, given) => {
    const call = { name, input };
    // To ask again would make an answer count that a client gave to no question.
    const asks = options.asks !== false && !isAnswered(given);
    try {
      return await toolkit.judge(call, { ...options, ...contextOf(call, given, { toolkit, runs }), asks });
    } catch (error) {
      return { effect: 'deny', text: String(error) };
    }
  };
}

/** Creates `needsApproval` of a tool, in which its own still counts. */
export function createNeedsApproval(
  name: string,
  tool: Pick<AnyTool, 'needsApproval'>,
  foresee: Foresee,
): NeedsApproval {
  return async (input, call) => {
    const { effect } = await foresee(name, input, call);
    return effect === 'none' ? askTool(tool, input, call) : effect === 'ask';
  };
}

/** Asks a tool of the application itself. */
export async function askTool(
  { needsApproval: own = false }: Pick<AnyTool, 'needsApproval'> = {},
  ...call: Parameters<NeedsApproval>
): Promise<boolean> {
  return typeof own === 'function' ? own(...call) : own;
}
