// Finds the character that makes a field invalid, because its place helps a person more than where the field begins.

import type { Position } from '../diagnostics/log.ts';

/** The value of a field as lines; the place is that of the key, and of the column that further lines begin at. */
interface ValueLines extends Position {
  readonly first: string;
  readonly valueColumn: number;
  readonly rest: readonly string[];
}

/** What begins something in YAML, so that text that begins with it has to be quoted. */
const startsYaml = /^(?:[[\]{}&*!|>%@`,#]|[-?:](?: |$))/;

/** Returns how far into its first line a text ceases to be one value: at its first character, or at a colon. */
export function findUnquoted(first: string): number {
  return startsYaml.test(first) ? 0 : Math.max(0, first.search(/:(?: |$)/));
}

/** Returns the place of the innermost bracket that is not closed, or undefined. */
export function findOpenBracket({ first, rest, line, column, valueColumn }: ValueLines): Position | undefined {
  const open: (Position & { readonly closing: string })[] = [];
  for (const [row, text] of [first, ...rest].entries()) {
    const start = row === 0 ? valueColumn : column;
    // Quoted texts and comments, whose brackets mean nothing, or one bracket.
    for (const match of text.matchAll(/"(?:\\.|[^"\\])*"|'[^']*'|(?:^|\s)#.*|[[\]{}]/g)) {
      const [mark] = match;
      if (mark === '[' || mark === '{') {
        open.push({ closing: mark === '[' ? ']' : '}', line: line + row, column: start + match.index });
      } else if (mark === ']' || mark === '}') {
        const last = open.at(-1);
        if (last?.closing !== mark) return last === undefined ? undefined : { line: last.line, column: last.column };
        open.pop();
      }
    }
  }
  const last = open.at(-1);
  return last === undefined ? undefined : { line: last.line, column: last.column };
}
