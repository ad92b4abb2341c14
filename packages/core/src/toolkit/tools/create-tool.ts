// Creates neutral tools, which check the input of the model and answer mistakes in words instead of throwing.

import { resolveSkill } from '../../catalog/resolve.ts';
import type { SkillEvent } from '../../conversation/event.ts';
import type { SkillToolPart } from '../../conversation/stored.ts';
import { renderFailure, renderLostAnswer, renderRefusal, type SkillRefusal } from '../../disclosure/answers.ts';
import { recordOf } from '../../runtime/record.ts';
import { isSkillError, reasonsOf, type SkillError } from '../../skill/error.ts';
import type { Skill } from '../../skill/skill.ts';
import { escapeBracket, squareToken } from '../../text/control-tokens.ts';
import { shortLine } from '../../text/neutral.ts';
import type { CallParts, ToolkitParts } from '../toolkit-parts.ts';
import { checkInput, parseInput } from './input.ts';
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

/** Creates the result of a refused call. The text explains how to call instead. */
export function refuse(code: string, text: string, more: { readonly asked?: boolean } = {}): SkillToolResult {
  return { text, isError: true, files: [], details: { kind: 'refusal', code, ...more } };
}

/** Creates the result of a refused call about a skill. */
export function refuseSkill(code: SkillRefusal, { name }: Skill): SkillToolResult {
  return refuse(code, renderRefusal(code, name));
}

/** The definition of a tool for the model: its name, its description, and the properties of its input. */
export interface ToolDefinition extends Pick<SkillTool, 'name' | 'description'> {
  readonly properties: ToolInputSchema['properties'];
  /** @default none */
  readonly required?: string[];
}

/** Creates a tool that checks its input against the schema of `Input`, and answers errors in words. */
export function createTool<Input extends object>(
  { name, description, properties, required = [] }: ToolDefinition,
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
    try {
      const result = await runChecked(input, call);
      if (context.wasRefused === true && !result.isError) return refuseReplay();
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

/** Checks whether the model can correct an error. It cannot if the application made the mistake. */
function isForModel(error: unknown): error is SkillError {
  return isSkillError(error) && error.code !== 'options-invalid';
}

/** Creates the answer to a call that failed, without the error's `cause`, whose text may contain paths. */
function refuseError({ code, message }: SkillError): SkillToolResult {
  const line = shortLine(message, 1_000).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return refuse(code, line.replace(squareToken, escapeBracket));
}

/** Reports a call that was refused, with the skill that it names, even one that the model must not know. */
export async function reportRefusal(
  tool: string,
  input: unknown,
  { details }: SkillToolResult,
  call: CallParts,
): Promise<void> {
  const { context } = call;
  if (details.kind !== 'refusal' || context.replay === true || !call.isHeard(context)) return;
  const { name, skill = name } = Object(parseInput(input));
  const offer = await call.offerFor(context).catch(() => undefined);
  const named = offer !== undefined && typeof skill === 'string' ? resolveSkill(offer.all, skill) : undefined;
  const known = named?.kind === 'found' ? { skill: named.skill.name } : {};
  reportOnce({ type: 'refused', tool, code: details.code, ...known, tokens: 0 }, call);
}

/** Reports what was decided about a call, but not again if the same call is judged once more before the next model call. */
export function reportOnce(
  event: SkillEvent & { readonly tool: string },
  { context, memoryOf, emit }: Pick<CallParts, 'context' | 'memoryOf' | 'emit'>,
): void {
  const { judged } = memoryOf(context);
  const key = JSON.stringify([event.type, event.tool, context.call]);
  if (context.call !== undefined && judged.has(key)) return;
  judged.add(key);
  emit(event, context);
}

/** Reports that a call failed for a reason that the model cannot correct, and creates its result. Throws if the call is aborted. */
export function refuseFailed(tool: string, error: unknown, parts: ReportingParts): SkillToolResult {
  parts.context.signal?.throwIfAborted();
  reportFailure(tool, error, parts);
  return refuse('tool-failed', renderFailure(tool));
}

type ReportingParts = Pick<CallParts, 'emit' | 'context'>;

/** Reports that a call of a tool failed, or could not be judged. */
export function reportFailure(tool: string, error: unknown, { emit, context }: ReportingParts): void {
  try {
    emit({ type: 'tool-failed', tool, reason: reasonsOf(error), tokens: 0 }, context);
  } catch {
    // The application's listener fails, too. The model must still get its answer.
  }
}

function standardize(inputSchema: ToolInputSchema): StandardInputSchema {
  const copy = () => ({ ...inputSchema });
  const jsonSchema = { input: copy, output: copy };
  const validate = (value: unknown) => ({ value: recordOf(parseInput(value)) });
  return { '~standard': { version: 1, vendor: 'skillful', validate, jsonSchema } };
}
