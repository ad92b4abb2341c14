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

/** Splits at LF, CRLF and a lone CR; for 16 KiB at most, because each byte is an argument of one call. */
export function splitLines(bytes: Uint8Array, from: number): readonly Line[] {
  // Spreading the bytes would take ten times as long.
  const all: string = Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from));
  const written = all.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  let next = from;
  return written.map((line, index) => {
    const text = line.replace(/[\r\n]+$/, '');
    const start = next;
    next += line.length;
    return { text, start, next, number: index + 1, terminated: text !== line };
  });
}
