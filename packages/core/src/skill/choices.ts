// Checks options, because a misspelt word or key would be ignored.

import { isRecord, kindOf } from '../runtime/record.ts';
import { SkillError } from './error.ts';

/** Checks one option; `undefined` means the default. @throws {SkillError} `options-invalid` */
export function checkChoice(option: string, value: unknown, choices: readonly string[]): void {
  if (value === undefined || (typeof value === 'string' && choices.includes(value))) return;
  const given = typeof value === 'string' ? `\`${value}\`` : kindOf(value);
  throw new SkillError('options-invalid', `\`${option}\` must be one of ${choices.join(', ')}, not ${given}.`);
}

/** Checks the keys of an option; `undefined` means the default. @throws {SkillError} `options-invalid` */
export function checkKeys(option: string, value: unknown, known: readonly string[]): void {
  if (value === undefined) return;
  if (!isRecord(value))
    throw new SkillError('options-invalid', `\`${option}\` must be an object, not ${kindOf(value)}.`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const message = `\`${option}\` must have no other keys than ${known.join(', ')}, but has \`${unknown}\`.`;
  throw new SkillError('options-invalid', message);
}
