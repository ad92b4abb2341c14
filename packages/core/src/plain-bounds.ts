// Recognises frontmatter that the readers without a YAML parser leave alone: control characters, or too much structure.

import { maxFrontmatterMarks } from './limits.ts';

/** Brackets, and dashes and colons with a blank behind, of a whole text; the YAML path refuses some texts with more. */
const maxRepeated = 200;
const unusual = /[^\P{Cc}\t\n]|\uFEFF/u;

/** Tells whether a text has no control characters, and no more structure than the YAML path allows. */
export function isOrdinary(text: string): boolean {
  if (unusual.test(text)) return false;
  if (text.length > maxRepeated) {
    if (count(text, '[', '{') > maxRepeated || count(text, '- ', ': ', '? ') > maxRepeated) return false;
  }
  return text.length <= maxFrontmatterMarks || count(text, ...'[]{},\n"\'&*!') <= maxFrontmatterMarks;
}

function count(text: string, ...parts: readonly string[]): number {
  let found = 0;
  for (const part of parts) {
    for (let index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + 1)) found += 1;
  }
  return found;
}
