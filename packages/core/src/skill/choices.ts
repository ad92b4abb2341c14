// Checks options that are one of a few words, because a misspelt word would be ignored.

import { kindOf } from '../runtime/record.ts';
import { SkillError } from './error.ts';

/** Checks one option; `undefined` means the default. @throws {SkillError} `options-invalid` */
export function checkChoice(option: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || (typeof value === 'string' && choices.includes(value))) return;
  const given = typeof value === 'string' ? `\`${value}\`` : kindOf(value);
  throw new SkillError('options-invalid', `\`${option}\` must be one of ${choices.join(', ')}, not ${given}.`);
}
