// Creates a neutral tool: checks what the model sent, and answers mistakes in words instead of throwing.

import { renderLostAnswer } from '../../disclosure/answers.ts';
import { isRecord } from '../../runtime/record.ts';
import { isSkillError } from '../../skill/error.ts';
import { escapeBracket, squareToken } from '../../text/control-tokens.ts';
import { shortLine } from '../../text/neutral.ts';
import type {
  SkillContext,
  SkillTool,
  SkillToolDetails,
  SkillToolPart,
  SkillToolResult,
  ToolInputSchema,
} from './tool.ts';

/** Creates the result of a call that was carried out. */
export function answer(text: string, details: SkillToolDetails, parts: readonly SkillToolPart[] = []): SkillToolResult {
  return { text, parts, isError: false, details };
}

/** Creates the result of a call that was refused; the text says how to call instead. */
export function refuse(code: string, text: string, more: { readonly asked?: boolean } = {}): SkillToolResult {
  return { text, parts: [], isError: true, details: { kind: 'refusal', code, ...more } };
}

/** The checked input of a call: the properties of the schema that were given. */
export interface SkillToolInput {
  readonly text: (property: string) => string | undefined;
  readonly number: (property: string) => number | undefined;
  readonly list: (property: string) => readonly string[] | undefined;
}

/** What a model is told about a tool: its name, what it does, and the properties of its input. */
export interface ToolDefinition extends Pick<SkillTool, 'name' | 'description'> {
  readonly properties: ToolInputSchema['properties'];
  /** @default none */
  readonly required?: string[];
}

/** Creates a tool that checks its input against its schema and answers a `SkillError` in words. */
export function createTool(
  { name, description, properties, required = [] }: ToolDefinition,
  run: (input: SkillToolInput, context: SkillContext) => Promise<SkillToolResult>,
): SkillTool {
  const inputSchema: ToolInputSchema = { type: 'object', properties, required, additionalProperties: false };
  return {
    ...{ name, description, inputSchema },
    async execute(input, context = {}) {
      context.signal?.throwIfAborted();
      const checked = checkInput(name, inputSchema, input);
      if (typeof checked === 'string') return refuse('input-invalid', checked);
      try {
        return await run(checked, context);
      } catch (error) {
        context.signal?.throwIfAborted();
        if (isSkillError(error))
          return refuse(
            error.code,
            shortLine(error.message, 1_000)
              .replaceAll('<', '&lt;')
              .replaceAll('>', '&gt;')
              .replace(squareToken, escapeBracket),
          );
        if (context.replay === true) return refuse('replay-failed', renderLostAnswer(name));
        throw error;
      }
    },
  };
}

/** Returns the known properties of the input, or the sentence that says what is wrong with it. */
function checkInput(name: string, inputSchema: ToolInputSchema, input: unknown): SkillToolInput | string {
  const usage = `Call ${name} with ${describeInput(inputSchema)}.`;
  if (!isRecord(input)) {
    return `The input of ${name} is ${describeType(input)}; expected an object. ${usage}`;
  }
  const given = new Map<string, unknown>(Object.entries(input));
  const texts = new Map<string, string>();
  const numbers = new Map<string, number>();
  const lists = new Map<string, readonly string[]>();
  for (const [key, property] of Object.entries(inputSchema.properties)) {
    const value = given.get(key);
    if (value === undefined || value === null) {
      if (inputSchema.required.includes(key)) return `\`${key}\` is missing in the input of ${name}. ${usage}`;
    } else if (property.type === 'string') {
      if (typeof value !== 'string') return wrongType(key, value, 'a string');
      texts.set(key, value);
    } else if (property.type === 'array') {
      if (!isTextList(value)) return wrongType(key, value, 'a list of strings');
      lists.set(key, value);
    } else {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
        return wrongType(key, value, 'a whole number from 0');
      }
      numbers.set(key, number);
    }
  }
  return { text: (key) => texts.get(key), number: (key) => numbers.get(key), list: (key) => lists.get(key) };

  function wrongType(key: string, value: unknown, expected: string): string {
    return `\`${key}\` is ${describeType(value)} in the input of ${name}; expected ${expected}. ${usage}`;
  }
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
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
