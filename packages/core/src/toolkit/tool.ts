// A tool that no framework owns: a name, a JSON Schema and a function that answers in words, never with a throw.

import type { ActiveSkill, ConversationItem } from '../disclosure/marks.ts';
import { isSkillError } from '../skill/error.ts';
import { shortLine } from '../text/neutral.ts';

/** One property of a tool's input. */
export interface JsonSchemaProperty {
  type: 'string' | 'integer';
  /** What the name of the property and the description of the tool do not tell. */
  description?: string;
  enum?: string[];
}

/** The part of JSON Schema that tool inputs need; arrays are mutable because frameworks type them so. */
export interface JsonSchemaObject {
  type: 'object';
  properties: Record<string, JsonSchemaProperty>;
  required: string[];
  additionalProperties: false;
}

/** What of a conversation an adapter hands over. */
export interface SkillConversation {
  /** What the model has before it in this call, oldest first. */
  readonly items: readonly ConversationItem[];
  /**
   * What is active, as `readActive` found it in the messages before they were shortened or the framework kept it in its
   * state. Where it is given it decides; `items` then only tell what is still in context.
   */
  readonly active?: readonly ActiveSkill[] | undefined;
}

/** What an adapter knows about the call at hand. */
export interface SkillContext {
  readonly signal?: AbortSignal | undefined;
  /** What the framework carries per request (a tenant, a user); handed to a catalog function as it is. */
  readonly request?: unknown;
  readonly conversation?: SkillConversation | undefined;
}

/** Bytes that a model can take in as they are: an image, a PDF, a recording. */
export interface SkillToolPart {
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** What a tool call comes to. */
export interface SkillToolResult {
  /** The words for the model. */
  readonly text: string;
  /** What the framework is to hand to the model beside the words, where it can. */
  readonly parts: readonly SkillToolPart[];
  /** True where the call did nothing but explain how to do it right. */
  readonly isError: boolean;
  /** What happened, for the developer; the model never sees it. */
  readonly details: SkillToolDetails;
}

/** What a call did, by the kind of tool. */
export type SkillToolDetails =
  | { readonly kind: 'activation'; readonly skill: string; readonly digest: string; readonly repeated: boolean }
  | { readonly kind: 'deactivation'; readonly skill: string }
  | { readonly kind: 'resource'; readonly skill: string; readonly path: string; readonly mediaType: string }
  | { readonly kind: 'search'; readonly query: string; readonly skills: readonly string[] }
  | { readonly kind: 'refusal'; readonly code: string };

/** A tool without a framework. */
export interface SkillTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchemaObject;
  /**
   * Runs the tool. Input is checked here, because frameworks do not agree on who does it.
   *
   * Rejects only when the signal is aborted or something is broken that the model cannot mend.
   */
  execute(input: unknown, context?: SkillContext): Promise<SkillToolResult>;
}

/** Makes the answer to a call that was carried out. */
export function answer(text: string, details: SkillToolDetails, parts: readonly SkillToolPart[] = []): SkillToolResult {
  return { text, parts, isError: false, details };
}

/** Makes the answer to a call that cannot be carried out as it stands. */
export function refuse(code: string, text: string): SkillToolResult {
  return { text, parts: [], isError: true, details: { kind: 'refusal', code } };
}

/** The input of a call after its check: the properties of the schema that were given. */
export interface SkillToolInput {
  readonly text: (property: string) => string | undefined;
  readonly number: (property: string) => number | undefined;
}

/** Creates a tool whose input is checked against its schema and whose `SkillError`s reach the model in words. */
export function createTool(
  definition: Omit<SkillTool, 'execute'>,
  run: (input: SkillToolInput, context: SkillContext) => Promise<SkillToolResult>,
): SkillTool {
  return {
    ...definition,
    async execute(input, context = {}) {
      context.signal?.throwIfAborted();
      const checked = checkInput(definition, input);
      if (typeof checked === 'string') return refuse('input-invalid', checked);
      try {
        return await run(checked, context);
      } catch (error) {
        context.signal?.throwIfAborted();
        if (isSkillError(error))
          return refuse(error.code, shortLine(error.message, 1_000).replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
        throw error;
      }
    },
  };
}

/** Gives the known properties of the input, or the sentence that says what is wrong with it. */
function checkInput({ name, inputSchema }: Omit<SkillTool, 'execute'>, input: unknown): SkillToolInput | string {
  const usage = `Call ${name} with ${describeInput(inputSchema)}.`;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return `The input of ${name} is ${describeType(input)}; an object was expected. ${usage}`;
  }
  const given = new Map<string, unknown>(Object.entries(input));
  const texts = new Map<string, string>();
  const numbers = new Map<string, number>();
  for (const [key, property] of Object.entries(inputSchema.properties)) {
    const value = given.get(key);
    if (value === undefined || value === null) {
      if (inputSchema.required.includes(key)) return `\`${key}\` is missing in the input of ${name}. ${usage}`;
    } else if (property.type === 'string') {
      if (typeof value !== 'string') return wrongType(key, value, 'a string');
      texts.set(key, value);
    } else {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) {
        return wrongType(key, value, 'a whole number from 0');
      }
      numbers.set(key, number);
    }
  }
  return { text: (key) => texts.get(key), number: (key) => numbers.get(key) };

  function wrongType(key: string, value: unknown, expected: string): string {
    return `\`${key}\` is ${describeType(value)} in the input of ${name}; ${expected} was expected. ${usage}`;
  }
}

function describeInput({ properties, required }: JsonSchemaObject): string {
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
