// Turns an index of a text into a line and a column, as editors count them.

/**
 * Returns the place of an index; both numbers are counted from 1, the column in UTF-16 units.
 *
 * @param firstLine number of the line that the text begins on
 */
export function placeOf(text: string, index: number, firstLine: number): { line: number; column: number } {
  const before = text.slice(0, index).split('\n');
  return { line: firstLine + before.length - 1, column: (before[before.length - 1] ?? '').length + 1 };
}
