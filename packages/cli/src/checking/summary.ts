// Sums up the findings of a check, so that common causes are seen at once.

import { count } from '../terminal/output.ts';
import type { CheckedSkill } from './check.ts';

/** The most codes that are named as common causes. */
const mostCauses = 3;

/** The fewest findings that make a code a common cause. */
const fewest = 3;

/**
 * Returns the lines of the summary: how many errors and warnings there are, how many can be fixed, and the common causes. With
 * `quiet`, only about errors.
 */
export function summarize(skills: readonly CheckedSkill[], fixable: number, quiet: boolean): readonly string[] {
  const diagnostics = skills.flatMap((skill) => skill.diagnostics);
  if (diagnostics.length === 0) return [];
  const ofSeverity = (wanted: string): number => diagnostics.filter(({ severity }) => severity === wanted).length;
  const files = skills.filter((skill) => skill.diagnostics.length > 0);
  const printed = diagnostics.filter(({ severity }) => !quiet || severity === 'error');
  const causes = [...Map.groupBy(printed, ({ code }) => code)]
    .map(([code, found]) => ({ code, times: found.length }))
    .filter(({ times }) => times >= fewest)
    .sort((a, b) => b.times - a.times || (a.code < b.code ? -1 : 1))
    .slice(0, mostCauses);
  const found = [
    count(ofSeverity('error'), 'error'),
    count(ofSeverity('warning'), 'warning'),
    ...(ofSeverity('info') === 0 ? [] : [count(ofSeverity('info'), 'note')]),
  ].join(', ');
  return [
    `${found} in ${count(files.length, 'file')}.`,
    ...(fixable === 0 ? [] : [`${fixable} can be fixed with \`--fix\`.`]),
    ...(causes.length === 0 ? [] : ['Most often:', ...causes.map(({ code, times }) => `  ${code} (${times})`)]),
    '`skillful explain CODE` tells more about a finding.',
  ];
}
