// Splits the beginning of a file into lines, each with its place in the bytes.

/** One line of a file. */
export interface Line {
  /** The line as Latin-1, which is enough to recognise fences, keys and headings. */
  readonly text: string;
  /** Offset of the first byte. */
  readonly start: number;
  /** Offset of the next line. */
  readonly next: number;
  /** Counted from 1. */
  readonly number: number;
  /** False for a last line that has no line end. */
  readonly terminated: boolean;
}

/** Returns the line at an index; undefined past the last one. */
export type Lines = (index: number) => Line | undefined;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Splits at LF, CRLF and a lone CR, only as far as asked, because the first lines show that most files have no frontmatter. */
export function splitLines(bytes: Uint8Array, from: number): Lines {
  const lines: Line[] = [];
  let start = from;
  return (index) => {
    while (lines.length <= index && start < bytes.length) {
      let end = start;
      while (end < bytes.length && bytes[end] !== lineFeed && bytes[end] !== carriageReturn) end += 1;
      const terminated = end < bytes.length;
      const isPair = bytes[end] === carriageReturn && bytes[end + 1] === lineFeed;
      const next = terminated ? end + (isPair ? 2 : 1) : end;
      // `Reflect.apply`, because spreading the bytes would take ten times as long.
      const text: string = Reflect.apply(String.fromCharCode, undefined, bytes.subarray(start, end));
      lines.push({ text, start, next, number: lines.length + 1, terminated });
      start = next;
    }
    return lines[index];
  };
}
