// Recognises frontmatter that the readers without a YAML parser leave alone: control characters, or too much structure.

import { maxFrontmatterMarks } from '../../skill/limits.ts';

/** Brackets, and dashes and colons with a blank behind, of a whole text; the YAML path refuses some texts with more. */
const maxRepeated = 200;
const brackets = ['[', '{'];
const indicators = ['- ', ': ', '? '];
const marks = [...'[]{},\n"\'&*!'];
const unusual = /[^\P{Cc}\t\n]|\uFEFF/u;

/** Tells whether a text has no control characters, and no more structure than the YAML path allows. */
export function isOrdinary(text: string): boolean {
  if (unusual.test(text)) return false;
  // A text that is too short for more is not searched.
  if (text.length > maxRepeated && count(text, brackets) > maxRepeated) return false;
  if (text.length > 2 * maxRepeated && count(text, indicators) > maxRepeated) return false;
  return text.length <= maxFrontmatterMarks || count(text, marks) <= maxFrontmatterMarks;
}

function count(text: string, parts: readonly string[]): number {
  let found = 0;
  for (let part = 0; part < parts.length; part += 1) {
    const sought = parts[part] ?? '';
    for (let index = text.indexOf(sought); index >= 0; index = text.indexOf(sought, index + 1)) found += 1;
  }
  return found;
}
