// A tool that no framework owns: a name, a JSON Schema and a function that answers in words, never with a throw.

import { isSkillError } from './error.ts';

/** The part of JSON Schema that tool inputs need; arrays are mutable because frameworks type them so. */
export interface JsonSchemaObject {
  type: 'object';
  properties: Record<string, { type: 'string'; description: string; enum?: string[] }>;
  required: string[];
  additionalProperties: false;
}

/** What an adapter knows about the call at hand. */
export interface SkillContext {
  readonly signal?: AbortSignal | undefined;
  /** What the framework carries per request (a tenant, a user); handed to a catalog function as it is. */
  readonly request?: unknown;
}

/** What a tool call comes to. */
export interface SkillToolResult {
  /** The words for the model. */
  readonly text: string;
  /** True where the call did nothing but explain how to do it right. */
  readonly isError: boolean;
  /** What happened, for the developer; the model never sees it. */
  readonly details: SkillToolDetails;
}

export type SkillToolDetails =
  | { readonly kind: 'activation'; readonly skill: string; readonly digest: string }
  | { readonly kind: 'resource'; readonly skill: string; readonly path: string; readonly mediaType: string }
  | { readonly kind: 'refusal'; readonly code: string };

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

/** Makes the answer to a call that cannot be carried out as it stands. */
export function refuse(code: string, text: string): SkillToolResult {
  return { text, isError: true, details: { kind: 'refusal', code } };
}

/**
 * Creates a tool whose input is checked against its schema and whose `SkillError`s reach the model in words.
 *
 * Every property of a schema is a string, and so is every value that `run` receives.
 */
export function createTool(
  definition: Omit<SkillTool, 'execute'>,
  run: (input: Readonly<Record<string, string>>, context: SkillContext) => Promise<SkillToolResult>,
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
        if (isSkillError(error)) return refuse(error.code, error.message);
        throw error;
      }
    },
  };
}

/** Gives the input with its known properties, or the sentence that says what is wrong with it. */
function checkInput(
  { name, inputSchema }: Omit<SkillTool, 'execute'>,
  input: unknown,
): Readonly<Record<string, string>> | string {
  const usage = `Call ${name} with ${describeInput(inputSchema)}.`;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return `The input of ${name} is ${describeType(input)}; an object was expected. ${usage}`;
  }
  const given = new Map<string, unknown>(Object.entries(input));
  const checked: Record<string, string> = {};
  for (const key of Object.keys(inputSchema.properties)) {
    const value = given.get(key);
    if (value === undefined || value === null) {
      if (inputSchema.required.includes(key)) return `\`${key}\` is missing in the input of ${name}. ${usage}`;
    } else if (typeof value === 'string') {
      checked[key] = value;
    } else {
      return `\`${key}\` is ${describeType(value)} in the input of ${name}; a string was expected. ${usage}`;
    }
  }
  return checked;
}

function describeInput({ properties, required }: JsonSchemaObject): string {
  const keys = Object.keys(properties).map((key) => `"${key}": string${required.includes(key) ? '' : ' (optional)'}`);
  return `{ ${keys.join(', ')} }`;
}

function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return value === undefined ? 'missing' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
