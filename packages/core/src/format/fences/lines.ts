// Splits the beginning of a file into lines, each with its place in the bytes.

/** One line of a file. */
export interface Line {
  /** The line as Latin-1, which is enough to recognise fences, keys and headings. */
  readonly text: string;
  /** Offset of the first byte. */
  readonly start: number;
  /** Offset of the next line. */
  readonly next: number;
  readonly number: number;
  /** False for a last line that has no line end. */
  readonly terminated: boolean;
}

/** Looks a line up by its index, counted from 0. */
export type Lines = (index: number) => Line | undefined;

/**
 * Splits at LF, CRLF and a lone CR. Splits only as far as lines are looked up, because a missing fence usually shows within 20
 * lines. Takes at most 16 KiB.
 */
export function splitLines(bytes: Uint8Array, from: number): Lines {
  // `Reflect.apply`, because spreading the bytes would take ten times as long.
  const all: string = Reflect.apply(String.fromCharCode, undefined, bytes.subarray(from));
  const written = all.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  const lines: Line[] = [];
  return (index) => {
    while (lines.length <= index && lines.length < written.length) {
      const line = written[lines.length] ?? '';
      const start = lines[lines.length - 1]?.next ?? from;
      let length = line.length;
      while (line.endsWith('\n', length) || line.endsWith('\r', length)) length -= 1;
      const text = line.slice(0, length);
      const number = lines.length + 1;
      lines.push({ text, start, next: start + line.length, number, terminated: length < line.length });
    }
    return lines[index];
  };
}
