// Counts the characters of a text against a limit.

/** Counts the code points of a text that is longer than the limit in UTF-16 units; returns the number of units otherwise. */
export function countPoints(text: string, limit: number): number {
  return text.length <= limit ? text.length : [...text].length;
}
