// Translates the toolkit's neutral tools into AI SDK tools, whose outputs are JSON that a browser may see.

import type { RedactedResult, SkillTool, SkillToolInputs, SkillToolkit, SkillToolResult } from '@skillful/core';
import type { Tool } from 'ai';
import { createNeedsApproval } from './approval.ts';
import { type Calls, createCalls } from './calls.ts';
import { assertUsable, type OptionsParameter, promptVersion, type SkillsOptions } from './options.ts';

/** The output of a skill tool in a part of a UI message. Contains texts and files only with `outputs: 'full'` or `trustedOutputs`. */
export type SkillToolOutput = RedactedResult;

type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;

/** The skill tools by their default names, for `InferUITools`. Which of them exist depends on the catalog. */
export type SkillTools = { [Name in keyof SkillToolInputs]: Tool<SkillToolInputs[Name], SkillToolOutput> };

/**
 * Returns the toolkit's tools as a tool set of the AI SDK, for `skillsMiddleware`. Without skills, it is empty.
 *
 * @throws {SkillError} `framework-too-old`
 */
export function skillTools<Request>(
  toolkit: SkillToolkit<Request>,
  ...[options = {}]: OptionsParameter<Request>
): SkillTools {
  assertUsable(toolkit, options);
  return createSkillTools(toolkit, options, createCalls(toolkit, options));
}

/** Creates the tools. In a run, they know its whole conversation and its catalog. */
export function createSkillTools(toolkit: SkillToolkit, options: SkillsOptions, calls: Calls): SkillTools {
  const given = new WeakMap<object, SkillToolResult>();
  const translate = ({ name, description, standardSchema: inputSchema, execute }: SkillTool) => {
    const translated: Tool<unknown, SkillToolOutput> = {
      description,
      inputSchema,
      needsApproval: createNeedsApproval(name, calls),
      async execute(input, call) {
        const result = await execute(input, calls.contextOf({ name, input }, call, { runs: true }));
        const isKept = options.trustedOutputs === true && result.details.kind === 'script';
        const output = toolkit.redactResult(result, isKept ? 'full' : options.outputs);
        given.set(output, result);
        return output;
      },
      // An output that comes back from a browser is not trusted, so the call is made again. Scripts never run again.
      async toModelOutput({ toolCallId: call, input, output }) {
        const { kind, isError, code } = Object(output);
        const isTrusted = options.trustedOutputs === true && kind === 'script';
        const stored = given.get(output) ?? (isTrusted ? toolkit.readResult(name, output) : undefined);
        const context = { ...options, call, refusedWith: isError === true ? String(code) : undefined };
        const result = stored ?? (await toolkit.replay({ name, input }, context));
        return toolkit.writeOutput(result, promptVersion) as ModelOutput;
      },
    };
    return [name, translated] as const;
  };
  return Object.fromEntries(toolkit.tools.map(translate)) as SkillTools;
}
