// Creates neutral tools, which check the input of the model and answer mistakes in words instead of throwing.

import type { SkillToolPart } from '../../conversation/stored.ts';
import { quoted, renderFailure, renderLostAnswer, renderRefusal, type SkillRefusal } from '../../disclosure/answers.ts';
import { isRecord, readInput, readText, readTextList, recordOf } from '../../runtime/record.ts';
import { isSkillError, reasonsOf } from '../../skill/error.ts';
import type { Skill } from '../../skill/skill.ts';
import { escapeBracket, squareToken } from '../../text/control-tokens.ts';
import { shortLine } from '../../text/neutral.ts';
import type { CallParts, ToolkitParts } from '../toolkit-parts.ts';
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

  async function answerCall(input: unknown, context: SkillContext): Promise<SkillToolResult> {
    context.signal?.throwIfAborted();
    try {
      const checked = checkInput({ name, inputSchema }, input);
      if (typeof checked === 'string') return refuse('input-invalid', checked);
      const result = await run(checked as Input, { ...parts, context });
      return context.wasRefused === true && !result.isError ? refuseReplay() : result;
    } catch (error) {
      context.signal?.throwIfAborted();
      // The model cannot correct a mistake of the application.
      const isForModel = isSkillError(error) && error.code !== 'options-invalid';
      // Nor can it correct an error with a cause, whose text may contain paths of the machine. The application gets both as an
      // event.
      if (!isForModel || error.cause !== undefined) reportFailure(name, error, { ...parts, context });
      if (isForModel) {
        const line = shortLine(error.message, 1_000).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
        return refuse(error.code, line.replace(squareToken, escapeBracket));
      }
      if (context.replay === true) return refuseReplay();
      return refuse('tool-failed', renderFailure(name));
    }
  }

  return {
    ...{ name, description, inputSchema, standardSchema: standardize(inputSchema) },
    execute: (input, context = {}) =>
      parts.inTurn({ name, input }, context, () => answerCall(readInput(input), context)),
  };
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
  const validate = (value: unknown) => ({ value: recordOf(readInput(value)) });
  return { '~standard': { version: 1, vendor: 'skillful', validate, jsonSchema } };
}

/** Returns the known properties of the input, or a sentence about what is wrong. */
export function checkInput(
  { name, inputSchema }: Pick<SkillTool, 'name' | 'inputSchema'>,
  input: unknown,
): object | string {
  const usage = `Call ${name} with ${describeInput(inputSchema)}.`;
  if (!isRecord(input)) {
    return `The input of ${name} is ${describeType(input)}; expected an object. ${usage}`;
  }
  const given = new Map(Object.entries(input));
  const checked: Record<string, unknown> = {};
  for (const [key, { type }] of Object.entries(inputSchema.properties)) {
    const value = given.get(key);
    if (value === undefined || value === null) {
      if (inputSchema.required.includes(key)) return `\`${key}\` is missing in the input of ${name}. ${usage}`;
      continue;
    }
    const { expected, read } = types[type];
    const known = read(value);
    if (known === undefined)
      return `\`${key}\` is ${describeType(value)} in the input of ${name}; expected ${expected}. ${usage}`;
    given.delete(key);
    // Some models fill in every property.
    const isLeftOut = (known === '' || known === 0) && !inputSchema.required.includes(key);
    checked[key] = isLeftOut ? undefined : known;
  }
  // An unknown input may be a missing one by another name, such as `args`.
  const isWhole = Object.keys(inputSchema.properties).every((key) => key in checked);
  const unknown = [...given].filter(([key, value]) => (value ?? null) !== null && !ofFrameworks.test(key));
  const [key] = (!isWhole && unknown[0]) || [];
  return key === undefined ? checked : `${quoted(key)} is unknown in the input of ${name}. ${usage}`;
}

/** The inputs that Mastra adds to those of a tool. */
const ofFrameworks = /^(?:_|resumeData$|suspendedTool)/;

/** For each type, what is expected, and a function that reads a value or returns undefined. */
const types = {
  // Some models write numbers without quotes, and lists as text.
  string: { expected: 'a string', read: readText },
  array: { expected: 'a list of strings', read: readTextList },
  integer: { expected: 'a whole number from 0', read: parseNumber },
};

/** Parses a number, also from text, because some models write numbers as text. */
function parseNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function describeInput({ properties, required }: ToolInputSchema): string {
  const keys = Object.entries(properties).map(
    ([key, { type }]) => `"${key}": ${type}${required.includes(key) ? '' : ' (optional)'}`,
  );
  return `{ ${keys.join(', ')} }`;
}

function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return String(value);
  return value === undefined ? 'missing' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
