// Fixes the text of a `SKILL.md` if a diagnostic leaves no doubt how; comments, order and everything else stay.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { createDiagnosticLog } from '../../diagnostics/log.ts';
import { findFences } from '../fences/fence.ts';
import { parseFrontmatter } from '../frontmatter/frontmatter.ts';
import { type ParsedSkill, type ParseSkillOptions, parseSkill } from '../parse.ts';
import { type FixInput, fixers } from './fixers.ts';

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
  const read = { ...parseFields(text), directoryName: options.directoryName };
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

/** A fix must not change what the file says, even if two mistakes cancel each other out. */
function saysTheSame(before: ParsedSkill, after: ParsedSkill): boolean {
  const content = ({ properties, body }: ParsedSkill): string => {
    return JSON.stringify([properties, body.replaceAll(/\r\n?/g, '\n')]);
  };
  return content(before) === content(after);
}

function parseFields(text: string): Pick<FixInput, 'fields' | 'repairs'> {
  const bytes = new TextEncoder().encode(text);
  const found = findFences(bytes, true);
  if (found.kind !== 'found') return { fields: [], repairs: [] };
  const frontmatter = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(found.start, found.end));
  const place = { firstLine: found.line, heading: found.heading };
  const log = createDiagnosticLog({ location: '' }, 'strict');
  const { fields = [], repairs } = parseFrontmatter(frontmatter.replaceAll(/\r\n?/g, '\n'), place, log);
  return { fields, repairs };
}
