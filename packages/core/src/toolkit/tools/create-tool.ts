// Creates neutral tools, which check the input of the model and answer mistakes in words instead of throwing.

import type { SkillToolPart } from '../../conversation/stored.ts';
import { renderFailure, renderLostAnswer } from '../../disclosure/answers.ts';
import { recordOf } from '../../runtime/record.ts';
import type { CallParts, ToolkitParts } from '../toolkit-parts.ts';
import { checkInput, parseInput } from './input.ts';
import { isForModel, refuse, refuseError, reportFailure, reportRefusal } from './refusal.ts';
import type {
  SkillContext,
  SkillTool,
  SkillToolDetails,
  SkillToolResult,
  StandardInputSchema,
  ToolInputSchema,
} from './tool.ts';

/** Creates the result of a successful call. */
export function answer(text: string, details: SkillToolDetails, files: readonly SkillToolPart[] = []): SkillToolResult {
  return { text, isError: false, files, details };
}

/** The definition of a tool for the model: its name, its description, and the properties of its input. */
export interface ToolDefinition<Input> extends Pick<SkillTool, 'name' | 'description'> {
  readonly properties: { [Key in keyof Input]: ToolInputSchema['properties'][string] };
  /** @default none */
  readonly required?: (keyof Input & string)[];
}

/** Creates a tool that checks its input against the schema of `Input`, and answers errors in words. */
export function createTool<Input extends object>(
  { name, description, properties, required = [] }: ToolDefinition<Input>,
  parts: ToolkitParts,
  run: (input: Input, call: CallParts) => Promise<SkillToolResult>,
): SkillTool {
  const inputSchema: ToolInputSchema = { type: 'object', properties, required, additionalProperties: false };

  const refuseReplay = () => refuse('replay-failed', renderLostAnswer(name));

  async function runChecked(input: unknown, call: CallParts): Promise<SkillToolResult> {
    const checked = checkInput({ name, inputSchema }, input);
    if (typeof checked === 'string') return refuse('input-invalid', checked);
    try {
      return await run(checked as Input, call);
    } catch (error) {
      call.context.signal?.throwIfAborted();
      if (!isForModel(error) || error.cause !== undefined) throw error;
      return refuseError(error);
    }
  }

  async function answerCall(input: unknown, context: SkillContext): Promise<SkillToolResult> {
    context.signal?.throwIfAborted();
    const call = { ...parts, context };
    if (context.refusedWith === 'tool-failed') return refuse('tool-failed', renderFailure(name));
    try {
      const result = await runChecked(input, call);
      if (context.refusedWith !== undefined && !result.isError) return refuseReplay();
      await reportRefusal(name, input, result, call);
      return result;
    } catch (error) {
      context.signal?.throwIfAborted();
      reportFailure(name, error, call);
      if (isForModel(error)) return refuseError(error);
      return context.replay === true ? refuseReplay() : refuse('tool-failed', renderFailure(name));
    }
  }

  return {
    ...{ name, description, inputSchema, standardSchema: standardize(inputSchema) },
    execute: (input, context = {}) =>
      parts.inTurn({ name, input }, context, () => answerCall(parseInput(input), context)),
  };
}

function standardize(inputSchema: ToolInputSchema): StandardInputSchema {
  const copy = () => ({ ...inputSchema });
  const jsonSchema = { input: copy, output: copy };
  const validate = (value: unknown) => ({ value: recordOf(parseInput(value)) });
  return { '~standard': { version: 1, vendor: 'skillful', validate, jsonSchema } };
}
