// Folds repeated findings in one file, so that a dozen unknown fields do not fill the screen with the same sentence.

import type { Diagnostic } from '@skillful/core';

/** Findings of one code that are shown for a file; the rest is folded into one. */
const most = 3;

/** Returns the findings of a file for people, in which one finding replaces those that repeat a code too often. */
export function foldRepeated(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const placed = diagnostics.filter(({ line }) => line !== undefined);
  const byCode = Map.groupBy(placed, ({ code }) => code);
  return diagnostics.flatMap((diagnostic) => {
    const rest = byCode.get(diagnostic.code)?.slice(most) ?? [];
    const index = rest.indexOf(diagnostic);
    if (rest.length < 2 || index < 0) return [diagnostic];
    const lines = [...new Set(rest.map(({ line }) => line))];
    const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
    return index === 0 ? [{ ...diagnostic, message: `${rest.length} more of these, in ${where}.` }] : [];
  });
}
