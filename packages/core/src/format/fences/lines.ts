// Splits the beginning of a file into lines, each with its place in the bytes.

/** One line of a file. */
export interface Line {
  /** As Latin-1, which is enough to recognise fences, keys and headings. */
  readonly text: string;
  /** Offset of the first byte. */
  readonly start: number;
  /** Offset of the next line. */
  readonly next: number;
  readonly number: number;
  /** False for a last line that has no line end. */
  readonly terminated: boolean;
}

/** For bytes above 127 it differs from Latin-1 in signs that no pattern of a line knows. */
const decoder = new TextDecoder('latin1');

/** Splits at LF, CRLF and a lone CR. */
export function splitLines(bytes: Uint8Array, from: number): readonly Line[] {
  const written = decoder.decode(bytes.subarray(from)).match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  let next = from;
  return written.map((line, index) => {
    let length = line.length;
    while (line.endsWith('\n', length) || line.endsWith('\r', length)) length -= 1;
    const start = next;
    next += line.length;
    return { text: line.slice(0, length), start, next, number: index + 1, terminated: length < line.length };
  });
}
