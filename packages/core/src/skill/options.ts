// Checks options. A misspelt word or key would be ignored, and NaN as a limit would let everything through, or nothing.

import { showText } from '../diagnostics/diagnostic.ts';
import { isMap, isRecord, isTextList, kindOf, recordOf } from '../runtime/record.ts';
import { type CountTokens, estimateTokens } from '../text/tokens.ts';
import { SkillError } from './error.ts';
import type { Skill } from './skill.ts';

/** Creates the error for an option, or another argument of the application, that is not valid. */
export function invalidOption(message: string): SkillError {
  return new SkillError('options-invalid', message);
}

/** Checks one option; `undefined` means the default. @throws {SkillError} `options-invalid` */
export function checkChoice(option: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || (typeof value === 'string' && choices.includes(value))) return;
  throw invalidOption(`\`${option}\` must be one of ${choices.join(', ')}, not ${showGiven(value)}.`);
}

/** Checks that an argument is an object, because a promise and a `Map` have no keys. @throws {SkillError} `options-invalid` */
export function checkRecord(name: string, value: unknown): asserts value is Record<string, unknown> {
  if (!isRecord(value) || isMap(value)) throw invalidOption(`\`${name}\` must be an object, not ${kindOf(value)}.`);
}

/** Checks a decision, because a text such as `'false'` would count as true. @throws {SkillError} `options-invalid` */
export function checkDecision(name: string, value: unknown): asserts value is boolean {
  if (typeof value !== 'boolean') throw invalidOption(`\`${name}\` must be true or false, not ${showGiven(value)}.`);
}

/** Checks options that permit something; `undefined` means the default. @throws {SkillError} `options-invalid` */
export function checkDecisions(options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) if (value !== undefined) checkDecision(name, value);
}

/** Checks an argument or an option that is given. @throws {SkillError} `options-invalid` */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw invalidOption(`\`${name}\` must be a function, not ${kindOf(value)}.`);
}

/** Checks an option that has functions; `undefined` means the default. @throws {SkillError} `options-invalid` */
export function checkFunctions(option: string, value: unknown, names: readonly string[], example: string): void {
  if (value === undefined || names.every((name) => typeof recordOf(value)[name] === 'function')) return;
  const list = names.map((name) => `\`${name}\``).join(', ');
  throw invalidOption(
    `\`${option}\` must be an object with the function${names.length === 1 ? '' : 's'} ${list}, such as \`${example}\`.`,
  );
}

/**
 * Returns the application's tokenizer with a check of what it returns, because a promise or NaN would exceed every budget.
 *
 * @throws {SkillError} `options-invalid`, also from the tokenizer
 */
export function checkTokenizer(countTokens: CountTokens = estimateTokens): CountTokens {
  checkFunction('countTokens', countTokens);
  return (text) => {
    const tokens: unknown = countTokens(text);
    if (typeof tokens === 'number' && tokens >= 0) return tokens;
    const given = typeof tokens === 'number' ? tokens : kindOf(tokens);
    throw invalidOption(`\`countTokens\` must return a number from 0, not ${given}.`);
  };
}

/** Checks the keys of an option; `undefined` means the default. @throws {SkillError} `options-invalid` */
export function checkKeys(option: string, value: unknown, known: readonly string[]): void {
  if (value === undefined) return;
  checkRecord(option, value);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw invalidOption(`\`${option}\` has the unknown key \`${unknown}\`; expected one of ${known.join(', ')}.`);
}

/** Checks texts. @throws {SkillError} `options-invalid` */
export function checkTexts(texts: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(texts)) {
    if (typeof value !== 'string') throw invalidOption(`\`${showText(name)}\` must be a text, not ${kindOf(value)}.`);
  }
}

/** Checks options that are lists of texts; a single text is not one. @throws {SkillError} `options-invalid` */
export function checkTextLists(options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (isTextList(value)) continue;
    const given = Array.isArray(value) ? 'a list of other values' : kindOf(value);
    throw invalidOption(`\`${name}\` must be a list of texts, not ${given}.`);
  }
}

/**
 * Checks options that count something: whole numbers from `least`, or `Infinity`. `undefined` means the default.
 *
 * @throws {SkillError} `options-invalid`
 */
export function checkCounts(options: Readonly<Record<string, unknown>>, least = 0): void {
  for (const [name, value] of Object.entries(options)) {
    const isCount = Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
    if (value !== undefined && !(isCount && Number(value) >= least))
      throw badNumber(name, 'whole number', least, value);
  }
}

/**
 * Checks options that an application may compute, such as milliseconds or a budget: numbers from 0, or `Infinity`.
 *
 * @throws {SkillError} `options-invalid`
 */
export function checkAmounts(options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !(typeof value === 'number' && value >= 0)) throw badNumber(name, 'number', 0, value);
  }
}

/** Checks what an application passes as a skill. @throws {SkillError} `options-invalid` */
export function assertSkill(skill: Skill): void {
  if (isRecord(skill) && isRecord(skill['source'])) return;
  const found = isRecord(skill) ? ' `resolveSkill` returns one as `skill` if it found one.' : '';
  throw invalidOption(`Expected a skill of a catalog, not ${kindOf(skill)}.${found}`);
}

/** Checks what an application passes as a list of skills. @throws {SkillError} `options-invalid` */
export function assertSkills(skills: readonly Skill[]): void {
  if (Array.isArray(skills)) return;
  throw invalidOption(
    `\`skills\` must be a list of skills, such as those of \`catalog.skills\`, not ${kindOf(skills)}.`,
  );
}

/** Shows a word that was given instead of one that is known, or what else was given. */
function showGiven(value: unknown): string {
  return typeof value === 'string' ? `\`${value}\`` : kindOf(value);
}

function badNumber(name: string, kind: string, least: number, value: unknown): SkillError {
  const given = typeof value === 'number' ? value : kindOf(value);
  return invalidOption(`\`${name}\` must be a ${kind} from ${least}, not ${given}. For no limit, use \`Infinity\`.`);
}
