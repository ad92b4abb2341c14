// Checks the sources that an application passes, because a promise or a path among them would look like a source without skills.

import { isRecord, kindOf } from '../runtime/record.ts';
import type { SkillError } from './error.ts';
import { invalidOption } from './options.ts';
import type { SkillSource } from './source.ts';

/**
 * Checks the shape of each source in a list, without calling any of them.
 *
 * @throws {SkillError} `options-invalid`
 */
export function assertSources(sources: readonly SkillSource[]): void {
  if (!Array.isArray(sources)) throw invalid(`Expected a list of sources, not ${kindOf(sources)}.`);
  for (const [index, source] of sources.entries()) {
    if (!isRecord(source)) throw invalid(`Source ${index + 1} is ${kindOf(source)}.`);
    const lacking = ['id', 'scope'].find((field) => typeof source[field] !== 'string');
    if (lacking !== undefined) throw invalid(`Source ${index + 1} has no \`${lacking}\`.`);
  }
}

function invalid(problem: string): SkillError {
  return invalidOption(`${problem} Create sources with \`fileSource\` or \`clientPreset\`, and await promises.`);
}
