// Fixes the text of a `SKILL.md` if a diagnostic leaves no doubt how; comments, order and everything else stay.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { type ParseSkillOptions, parseSkill, parseWithFields } from '../parse.ts';
import { suggestName } from '../properties/name.ts';
import { metadataText } from '../properties/optional-fields.ts';
import { fixers } from './fixers.ts';

/** A fixed text, what was fixed in it, and what is still wrong with it. */
export interface FixedSkill {
  readonly text: string;
  readonly fixed: readonly Diagnostic[];
  readonly left: readonly Diagnostic[];
}

/**
 * Fixes what the diagnostics under a profile report. Writes no file.
 *
 * @param text the whole file, with its byte order mark if it has one
 */
export function fixSkill(text: string, options: ParseSkillOptions = {}): FixedSkill {
  const fixed: Diagnostic[] = [];
  let current = text;
  // Every fix removes its diagnostic, so the limit is never reached; it is there for one that does not.
  for (let round = 0; round < 1000; round += 1) {
    const parsed = parseWithFields(current, options);
    const step = fixFirst(current, parsed, options);
    if (step === undefined) return { text: current, fixed, left: parsed.diagnostics };
    fixed.push(step.diagnostic);
    current = step.text;
  }
  return { text: current, fixed, left: parseSkill(current, options).diagnostics };
}

function fixFirst(
  text: string,
  parsed: Parsed,
  options: ParseSkillOptions,
): { text: string; diagnostic: Diagnostic } | undefined {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  const { fields = [], repairs } = parsed;
  const { directoryName } = options;
  for (const diagnostic of parsed.diagnostics) {
    const result = fixers.get(diagnostic.code)?.({ lines, diagnostic, fields, repairs, directoryName })?.join('');
    if (result === undefined || result === text) continue;
    const after = parseWithFields(result, options);
    if (content(parsed) === content(after) && isBetter(parsed.diagnostics, after.diagnostics))
      return { text: result, diagnostic };
  }
  return undefined;
}

type Parsed = ReturnType<typeof parseWithFields>;

/**
 * What the file says, which no fix may change, even if two mistakes cancel each other out: with the name as it should be
 * written, and with unknown fields as the texts that they are below `metadata`.
 */
function content({ properties, body, fields = [] }: Parsed): string {
  const { name = '', metadata, extensions = {}, ...others } = properties ?? {};
  const unknown = fields.filter(({ key }) => key in extensions);
  const texts = unknown.map(({ key, value }) => [key, metadataText(value)]);
  const all = Object.entries({ ...metadata, ...Object.fromEntries(texts) });
  return JSON.stringify([suggestName(name), others, all.sort(), body.replaceAll(/\r\n?/g, '\n')]);
}

/** A fix must not put a new problem in the place of the old one. */
function isBetter(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  const problems = after.filter(({ severity }) => severity !== 'info');
  return problems.every(({ code }) => before.some((known) => known.code === code));
}
