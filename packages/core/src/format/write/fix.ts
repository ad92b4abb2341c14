// Fixes the text of a `SKILL.md` if a diagnostic leaves no doubt how; comments, order and everything else stay.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { type ParsedSkill, type ParseSkillOptions, parseSkill, parseWithFields } from '../parse.ts';
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
  parsed: ReturnType<typeof parseWithFields>,
  options: ParseSkillOptions,
): { text: string; diagnostic: Diagnostic } | undefined {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  const { fields = [], repairs } = parsed;
  const { directoryName } = options;
  for (const diagnostic of parsed.diagnostics) {
    const result = fixers.get(diagnostic.code)?.({ lines, diagnostic, fields, repairs, directoryName })?.join('');
    if (result !== undefined && result !== text && saysTheSame(parsed, parseSkill(result, options))) {
      return { text: result, diagnostic };
    }
  }
  return undefined;
}

/** A fix must not change what the file says, even if two mistakes cancel each other out. */
function saysTheSame(before: ParsedSkill, after: ParsedSkill): boolean {
  const content = ({ properties, body }: ParsedSkill): string => {
    return JSON.stringify([properties, body.replaceAll(/\r\n?/g, '\n')]);
  };
  return content(before) === content(after);
}
