// Parses `allowed-tools`. Spaces and commas separate the tools, but not inside parentheses.

import { describeKind, describeType, type FrontmatterEntry, operator, ownText } from '../tree.ts';
import type { PropertiesContext } from './context.ts';

/** The tokens of an `allowed-tools` text, or what makes them ambiguous. */
export type AllowedTools =
  | { readonly tools: readonly string[]; readonly commas: boolean }
  | { readonly problem: string };

/**
 * Splits the text at spaces and commas outside parentheses: `Bash(git add *), Read` has two tokens.
 * A text with unbalanced parentheses, or with a bracket or a quotation mark where a tool should begin, has none.
 */
export function splitAllowedTools(text: string): AllowedTools {
  const tools: string[] = [];
  let commas = false;
  let depth = 0;
  let token = '';
  for (const character of text) {
    // In `Bash (git:*)`, the tool would count without its pattern, and so allow everything.
    if (token === '' && isOpening(character)) return { problem: `has \`${character}\` where a tool should begin` };
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return { problem: 'closes a parenthesis that was not opened' };
    if (depth === 0 && /[\s,]/.test(character)) {
      if (character === ',') commas = true;
      if (token !== '') tools.push(token);
      token = '';
    } else {
      token += character;
    }
  }
  if (depth > 0) return { problem: 'does not close a parenthesis' };
  if (token !== '') tools.push(token);
  return { tools, commas };
}

/** Checks for an opening bracket or quote. */
function isOpening(character: string): boolean {
  return /[\p{Ps}\p{Pi}"'`]/u.test(character);
}

/** Parses the tools that a skill requests, from all spellings of the field; returns none if anything is ambiguous. */
export function parseAllowedTools(
  given: readonly FrontmatterEntry[],
  { duplicates, log }: PropertiesContext,
): readonly string[] {
  for (const field of given) {
    if (field.key !== 'allowed-tools') log.report('allowed-tools-spelling', field, { field: field.key });
  }
  const first = given[0];
  if (first === undefined) return [];
  if (given.length > 1 || duplicates.has(first.key)) {
    log.report('allowed-tools-doubtful', given[1] ?? first, { problem: 'is given more than once' });
    return [];
  }
  const { value } = first;
  if (value.kind === 'scalar' && value.data === null) return [];
  const texts = value.kind === 'list' ? value.items : [value];
  const tools: string[] = [];
  for (const text of texts) {
    if (text.kind !== 'scalar' || text.data === null) {
      const kind = text.kind === 'scalar' ? 'an empty entry' : describeKind(text);
      log.report('allowed-tools-doubtful', text, { problem: `contains ${kind}` });
      return [];
    }
    const split = splitAllowedTools(text.text);
    if ('problem' in split) {
      log.report('allowed-tools-doubtful', text, { problem: split.problem });
      return [];
    }
    if (describeType(text) === operator) log.report('value-not-string', text, { field: first.key, kind: operator });
    if (split.commas) log.report('allowed-tools-comma', text);
    tools.push(...split.tools.map(ownText));
  }
  if (value.kind === 'list') log.report('allowed-tools-list', value);
  return tools;
}
