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

/** The lines in order. */
export type Lines = readonly Line[];

/** Splits at LF, CRLF and a lone CR. Takes at most 16 KiB. */
export function splitLines(bytes: Uint8Array, from: number): Lines {
  // `Reflect.apply`, because spreading the bytes would take ten times as long.
  const all: string = Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from));
  const written = all.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  let next = from;
  return written.map((line, index) => {
    const start = next;
    next += line.length;
    let length = line.length;
    while (line.endsWith('\n', length) || line.endsWith('\r', length)) length -= 1;
    const terminated = length < line.length;
    return { text: line.slice(0, length), start, next, number: index + 1, terminated };
  });
}
