// Reads the input of a tool call as the model meant it: some models write numbers as text, lists as JSON, or the whole input as text.

import { declaresArguments } from '../../disclosure/activate.ts';
import { quoted } from '../../disclosure/answers.ts';
import { isRecord, isTextList, parseJson, recordOf } from '../../runtime/record.ts';
import type { Skill } from '../../skill/skill.ts';
import { joinArguments } from '../../text/arguments.ts';
import type { SkillTool, ToolInputSchema } from './tool.ts';

/** Returns the input of a call, also one that is written as JSON in JSON. */
export function parseInput(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  return isRecord(parsed) ? parsed : value;
}

/** Returns a text, also one that is written as a number; undefined if the value is neither. */
export function parseText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the arguments in the input of a call that uses the name of a skill as a tool. Under another name, they count only if the
 * skill declares some. Several are put in the order of the declared names, and become JSON if they have others. The name of the
 * skill is none.
 */
export function argumentsIn(input: unknown, properties: Skill['properties']): string | undefined {
  const fields = new Map(Object.entries(recordOf(input)).filter(([key, value]) => key !== 'name' && !isEmpty(value)));
  const own = fields.get('arguments');
  if (own === undefined && (!declaresArguments(properties) || fields.size === 0)) return undefined;
  const { arguments: names } = properties;
  const isNamed = own === undefined && [...fields.keys()].every((key) => names.includes(key));
  if (isNamed) return joinArguments(names.map((name) => textOf(fields.get(name) ?? '')));
  return textOf(own ?? (fields.size === 1 ? [...fields.values()][0] : Object.fromEntries(fields)));
}

function textOf(value: unknown): string {
  return parseText(value) ?? JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return (value ?? '') === '' || (typeof value === 'object' && Object.keys(Object(value)).length === 0);
}

/** Returns a list of texts, also one that is written as JSON, as an empty text or with numbers; undefined for anything else. */
export function parseTextList(value: unknown): readonly string[] | undefined {
  if (value === '') return [];
  const list = typeof value === 'string' ? parseJson(value) : value;
  const texts = Array.isArray(list) ? Array.from(list, parseText) : undefined;
  return isTextList(texts) ? texts : undefined;
}

/** Parses a number, also from text; undefined unless it is a whole number from 0. */
function parseNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
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
    const { expected, parse } = types[type];
    const known = parse(value);
    if (known === undefined)
      return `\`${key}\` is ${describeType(value)} in the input of ${name}; expected ${expected}. ${usage}`;
    given.delete(key);
    // Some models fill in every property.
    const isLeftOut = (known === '' || known === 0) && !inputSchema.required.includes(key);
    checked[key] = isLeftOut ? undefined : known;
  }
  // An unknown input may be a missing one by another name, such as `args`. If none is missing, the model only added it.
  const hasEvery = Object.keys(inputSchema.properties).every((key) => key in checked);
  const unknown = [...given].filter(([key, value]) => (value ?? null) !== null && !ofFrameworks.test(key));
  const [key] = (!hasEvery && unknown[0]) || [];
  return key === undefined ? checked : `${quoted(key)} is unknown in the input of ${name}. ${usage}`;
}

/** The inputs that Mastra adds to those of a tool. */
const ofFrameworks = /^(?:_|resumeData$|suspendedTool)/;

/** For each type, what is expected, and a function that returns undefined for any other value. */
const types = {
  string: { expected: 'a string', parse: parseText },
  array: { expected: 'a list of strings', parse: parseTextList },
  integer: { expected: 'a whole number from 0', parse: parseNumber },
};

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
