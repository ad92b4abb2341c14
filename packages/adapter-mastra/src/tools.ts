// Translates the toolkit's neutral tools into Mastra tools.

import type { ToolsInput } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import type { KeptResult } from '@skillful/core';
import { attended, mayAsk } from './approval.ts';
import { contextOf, findRun, optionNames, type SkillsOptions, writeTo } from './run.ts';
import type { AgentToolkit } from './thread.ts';

/** What Mastra stores of a call, and sends to clients, as JSON. */
export type SkillToolOutput = KeptResult;

/** The functions that convert results of skill tools. Mastra copies tools in each step, but not these. */
const conversions = new WeakSet<object>();

/**
 * Returns the toolkit's tools as Mastra tools by name. Without skills, there are none.
 *
 * @throws {SkillError} `framework-too-old` if the installed version of Mastra is older than 1.60 and the policy is known to ask
 * people
 */
export function skillTools(toolkit: AgentToolkit, options: SkillsOptions = {}): ToolsInput {
  toolkit.assertOptions(options, optionNames);
  const asks = mayAsk(toolkit, options);
  const tools: ToolsInput = {};
  for (const skillTool of toolkit.tools) {
    const toModelOutput = (output: unknown) => toolkit.writeOutput(toolkit.readResult(skillTool.name, output), 'v2');
    conversions.add(toModelOutput);
    tools[skillTool.name] = createTool({
      id: skillTool.name,
      description: skillTool.description,
      inputSchema: skillTool.standardSchema,
      // If one tool has this, some versions of Mastra run the calls of all tools one after the other.
      ...(asks && { requireApproval: async () => attended.has(toolkit) }),
      execute: async (input, call): Promise<SkillToolOutput> => {
        const { runId, writer, agent = {} } = call;
        const run = await findRun(skillTool.name, { ...call, ...agent }, options, toolkit);
        const about = { ...run.known.about, run: run.known.about?.['run'] ?? runId };
        const shown = options.streamEvents === true && writeTo(writer, toolkit);
        const known = { ...contextOf(run, call), about, ...shown, call: agent.toolCallId };
        const result = await skillTool.execute(input, known);
        return toolkit.keepResult({ name: skillTool.name, input }, result, known, options.outputs ?? 'full');
      },
      toModelOutput,
    });
  }
  return tools;
}

/** Checks whether a tool of a step is a skill tool. A tool that a call adds may have its name, and replaces it. */
export function isSkillTool(tool: unknown): boolean {
  return conversions.has(Object(tool).toModelOutput);
}
