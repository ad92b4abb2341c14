// Converts an index of a text into a line and a column, as editors count them.

/** Returns the line and the column of an index, both counted from 1; the column in UTF-16 units. */
export function placeOf(text: string, index: number, firstLine: number): { line: number; column: number } {
  let line = firstLine;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < index; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: index - start + 1 };
}
