// Checks options that are numbers. Every comparison with NaN is false, so as a limit it would let everything through, or nothing.

import { kindOf } from '../runtime/record.ts';
import { SkillError } from './error.ts';

/**
 * Checks options that count something: whole numbers from `least`, or `Infinity`. `undefined` means the default.
 *
 * @throws {SkillError} `options-invalid`
 */
export function checkCounts(options: Readonly<Record<string, unknown>>, least = 0): void {
  for (const [name, value] of Object.entries(options)) {
    const isCount = Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
    if (value !== undefined && !(isCount && Number(value) >= least)) throw invalid(name, 'whole number', least, value);
  }
}

/**
 * Checks options that an application may compute, such as milliseconds or a budget: numbers from 0, or `Infinity`.
 *
 * @throws {SkillError} `options-invalid`
 */
export function checkAmounts(options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !(typeof value === 'number' && value >= 0)) throw invalid(name, 'number', 0, value);
  }
}

function invalid(name: string, kind: string, least: number, value: unknown): SkillError {
  const given = typeof value === 'number' ? value : kindOf(value);
  const message = `\`${name}\` must be a ${kind} from ${least}, not ${given}. For no limit, use \`Infinity\`.`;
  return new SkillError('options-invalid', message);
}
