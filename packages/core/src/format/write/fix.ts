// Corrects the text of a `SKILL.md` where a diagnostic leaves no doubt how; comments, order and everything else stay.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { createDiagnosticLog } from '../../diagnostics/log.ts';
import { findFences } from '../fences/fence.ts';
import { parseFrontmatter } from '../frontmatter/frontmatter.ts';
import { type ParsedSkill, type ParseSkillOptions, parseSkill } from '../parse.ts';
import { fixers, type Sheet } from './fixers.ts';

/** A corrected text, what was corrected in it, and what is still wrong with it. */
export interface FixedSkill {
  readonly text: string;
  readonly fixed: readonly Diagnostic[];
  readonly left: readonly Diagnostic[];
}

/**
 * Corrects what the diagnostics under a profile name. Writes nothing.
 *
 * @param text the whole file, with its byte order mark where it has one
 */
export function fixSkill(text: string, options: ParseSkillOptions = {}): FixedSkill {
  const fixed: Diagnostic[] = [];
  let current = text;
  // Every correction takes away its diagnostic, so the bound is never met; it is there for the ones that do not.
  for (let round = 0; round < 1000; round += 1) {
    const parsed = parseSkill(current, options);
    const step = fixFirst(current, parsed, options);
    if (step === undefined) return { text: current, fixed, left: parsed.diagnostics };
    fixed.push(step.diagnostic);
    current = step.text;
  }
  return { text: current, fixed, left: parseSkill(current, options).diagnostics };
}

function fixFirst(
  text: string,
  parsed: ParsedSkill,
  options: ParseSkillOptions,
): { text: string; diagnostic: Diagnostic } | undefined {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  const read = { ...readFields(text), directoryName: options.directoryName };
  for (const diagnostic of parsed.diagnostics) {
    const result = fixers
      .get(diagnostic.code)?.({ lines, diagnostic, ...read })
      ?.join('');
    if (result !== undefined && result !== text && saysTheSame(parsed, parseSkill(result, options))) {
      return { text: result, diagnostic };
    }
  }
  return undefined;
}

/** A correction must not change what the file says, not even where two mistakes of it work together. */
function saysTheSame(before: ParsedSkill, after: ParsedSkill): boolean {
  const content = ({ properties, body }: ParsedSkill): string => {
    return JSON.stringify([properties, body.replaceAll(/\r\n?/g, '\n')]);
  };
  return content(before) === content(after);
}

function readFields(text: string): Pick<Sheet, 'fields' | 'repairs'> {
  const bytes = new TextEncoder().encode(text);
  const found = findFences(bytes, true);
  if (found.kind !== 'found') return { fields: [], repairs: [] };
  const frontmatter = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(found.start, found.end));
  const place = { firstLine: found.line, heading: found.heading };
  const log = createDiagnosticLog({ location: '' }, 'strict');
  const { fields = [], repairs } = parseFrontmatter(frontmatter.replaceAll(/\r\n?/g, '\n'), place, log);
  return { fields, repairs };
}
