// Adds the skill tools to the tools of an application, and hooks that let skills refuse or approve calls.

import type { SkillToolkit } from '@skillful/core';
import type { ToolCallRepairFunction, ToolSet } from 'ai';
import { createToolApproval } from './approval.ts';
import type { Calls } from './calls.ts';
import { guardTool } from './guard.ts';
import type { AnySettings } from './settings.ts';

/** Returns settings with the skill tools and with hooks around the calls of all tools. */
export function addTools(
  given: AnySettings,
  skillTools: ToolSet,
  toolkit: SkillToolkit,
  calls: Calls,
): Pick<AnySettings, 'tools' | 'toolApproval' | 'repairToolCall' | 'experimental_repairToolCall'> {
  const own = Object.entries(given.tools ?? {}).filter(([name]) => !Object.hasOwn(skillTools, name));
  const guarded = own.map(([name, tool]) => [name, toolkit.judgesAll ? guardTool(name, tool, calls) : tool]);
  const tools: ToolSet = { ...Object.fromEntries(guarded), ...skillTools };
  const toolApproval = createToolApproval({ ...given, tools: Object.fromEntries(own) }, tools, calls);
  const repairToolCall = repairNames(given, toolkit, calls);
  // AI SDK 6 knows only the second name of `repairToolCall`, and 7 prefers the first.
  return { tools, toolApproval, repairToolCall, experimental_repairToolCall: repairToolCall };
}

/** Creates a repair for calls that use the name of a skill as a tool. The application's own repair comes first. */
function repairNames(
  { experimental_repairToolCall, repairToolCall: own = experimental_repairToolCall }: AnySettings,
  toolkit: SkillToolkit,
  calls: Calls,
): ToolCallRepairFunction<ToolSet> {
  return async (call) => {
    const repaired = await own?.(call);
    const { toolCall, messages } = call;
    if (repaired || toolCall.providerExecuted) return repaired ?? null;
    const { toolName: name, input, toolCallId } = toolCall;
    const meant = { name, input };
    const corrected = await toolkit.correctCall(meant, calls.contextOf(meant, { toolCallId, messages }));
    return corrected ? { ...toolCall, toolName: corrected.name, input: JSON.stringify(corrected.input) } : null;
  };
}
