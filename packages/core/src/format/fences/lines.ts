// Walks the lines of a file in linear time, and decodes no more of a line than is asked for.

/** One line of a file. */
export interface Line {
  /** Decodes the beginning as Latin-1, which is enough to recognise fences, keys and headings. */
  text(limit?: number): string;
  /** The first byte. */
  readonly first: number | undefined;
  /** Offset of the first byte. */
  readonly start: number;
  /** Offset of the next line. */
  readonly next: number;
  readonly number: number;
  /** False for a last line that has no line end. */
  readonly terminated: boolean;
}

/** The lines that are left. */
export interface Lines {
  next(): Line | undefined;
  /** Makes `next` return `line`. */
  back(line: Line): void;
}

/** Walks the lines of a file; a line ends with LF, CRLF or a lone CR. */
export function splitLines(bytes: Uint8Array, from: number): Lines {
  let start = from;
  let number = 1;
  const findLineFeed = createFinder(bytes, 0x0a);
  const findCarriageReturn = createFinder(bytes, 0x0d);
  return {
    next() {
      if (start >= bytes.length) return undefined;
      const end = Math.min(findLineFeed(start), findCarriageReturn(start));
      const next = Math.min(bytes.length, bytes[end] === 0x0d && bytes[end + 1] === 0x0a ? end + 2 : end + 1);
      const [from, to] = [start, end];
      const text = (limit = 200) => beginningOf(bytes, from, to, limit);
      const line = { text, first: bytes[start], start, next, number, terminated: end < bytes.length };
      start = next;
      number += 1;
      return line;
    },
    back(line) {
      start = line.start;
      number = line.number;
    },
  };
}

/** Finds the next occurrence of a byte, or the end. With rising offsets it looks at each byte once. */
function createFinder(bytes: Uint8Array, byte: number): (offset: number) => number {
  let from = 0;
  let found = -1;
  return (offset) => {
    if (offset < from || offset > found) {
      const index = bytes.indexOf(byte, offset);
      from = offset;
      found = index < 0 ? bytes.length : index;
    }
    return found;
  };
}

function beginningOf(bytes: Uint8Array, start: number, end: number, limit: number): string {
  const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + limit)));
  // Without the mark, a long line that only begins like a fence would look like one.
  return end - start > limit ? `${text}…` : text;
}
