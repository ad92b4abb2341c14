// Recognises text that would cost a YAML parser too much time.

import { maxFrontmatterMarks } from '../skill/limits.ts';

/** What a parser must look at closely. */
const mark = /[[\]{},\n"'&*!\\]/g;

/** How some programs write each letter outside of ASCII: `\u4e2d`. It costs a parser no more than a letter. */
const escaped = /\\u[\da-f]{4}/gi;

/** Checks whether a text has more marks than the limit. */
export function isTooComplex(text: string): boolean {
  // A shorter text cannot have more.
  if (text.length <= maxFrontmatterMarks) return false;
  return (text.replace(escaped, '').match(mark)?.length ?? 0) > maxFrontmatterMarks;
}
