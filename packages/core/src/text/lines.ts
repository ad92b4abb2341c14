// Walks the lines of a text without splitting it: a text of millions of empty lines costs no memory.

/** The position of a line in a text, as indexes. */
export interface Line {
  start: number;
  /** Index of the line end. */
  end: number;
  /** Index of the next line; past the end of the text if this is the last one. */
  next: number;
}

/** Lines to read before other work may get a turn. */
export const linesAtOnce = 4_096;

/** Returns a position before the first line. */
export function beforeLines(): Line {
  return { start: 0, end: 0, next: 0 };
}

/** Moves to the next line, however the lines end: with a line feed, a carriage return or both. False past the last one. */
export function moveLine(text: string, line: Line): boolean {
  if (line.next > text.length) return false;
  let end = line.next;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end += 1;
  line.start = line.next;
  line.end = end;
  line.next = end + (text.charCodeAt(end) === 0x0d && text.charCodeAt(end + 1) === 0x0a ? 2 : 1);
  return true;
}

/** Counts the lines of a text, including the one after the last line end. */
export function countLines(text: string): number {
  return text.split(/\r\n?|\n/).length;
}

/** Converts all line ends to line feeds. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}
