// Fixes mistakes in a `SKILL.md` that need no guess, and leaves comments, order and everything else unchanged.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { type ParseSkillOptions, parseWithFields } from '../parse.ts';
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
 * Fixes what the diagnostics under a profile report. Writes nothing to disk.
 *
 * @param text the whole file, including a byte order mark
 */
export function fixSkill(text: string, options: ParseSkillOptions = {}): FixedSkill {
  const fixed: Diagnostic[] = [];
  let current: Draft = { text, parsed: parseWithFields(text, options) };
  // Every fix removes its diagnostic, so only a faulty fix could reach this limit.
  while (fixed.length < 1000) {
    const step = fixFirst(current, options);
    if (step === undefined) break;
    fixed.push(step.diagnostic);
    current = step;
  }
  return { text: current.text, fixed, left: current.parsed.diagnostics };
}

/** A text, and what was read from it. */
interface Draft {
  readonly text: string;
  readonly parsed: Parsed;
}

function fixFirst(
  { text, parsed }: Draft,
  options: ParseSkillOptions,
): (Draft & { readonly diagnostic: Diagnostic }) | undefined {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  const { fields = [], repairs } = parsed;
  const { directoryName } = options;
  for (const diagnostic of parsed.diagnostics) {
    const result = fixers.get(diagnostic.code)?.({ lines, diagnostic, fields, repairs, directoryName })?.join('');
    if (result === undefined || result === text) continue;
    const after = parseWithFields(result, options);
    if (content(parsed) === content(after) && isBetter(parsed.diagnostics, after.diagnostics))
      return { text: result, parsed: after, diagnostic };
  }
  return undefined;
}

type Parsed = ReturnType<typeof parseWithFields>;

/**
 * Returns the content that no fix may change, as comparable text: with the corrected name, and with unknown fields as the texts
 * that they become below `metadata`.
 */
function content({ properties, body, fields = [] }: Parsed): string {
  const { name = '', metadata, extensions = {}, ...others } = properties ?? {};
  const unknown = fields.filter(({ key }) => key in extensions);
  const texts = unknown.map(({ key, value }) => [key, metadataText(value)]);
  const all = Object.entries({ ...metadata, ...Object.fromEntries(texts) });
  return JSON.stringify([suggestName(name), others, all.sort(), body.replaceAll(/\r\n?/g, '\n')]);
}

/** Checks that a fix did not replace the old problem with a new one. */
function isBetter(before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  const problems = after.filter(({ severity }) => severity !== 'info');
  return problems.every(({ code }) => before.some((known) => known.code === code));
}
