// Finds the two fences of a `SKILL.md` in its bytes, line by line and in linear time, without decoding the body.

import type { Position } from './diagnostic-log.ts';
import { maxFrontmatterBytes } from './limits.ts';

/** A departure from the plain form that was read all the same. */
export interface FenceNote extends Position {
  readonly code:
    | 'byte-order-mark'
    | 'leading-blank-lines'
    | 'fence-trailing-space'
    | 'fence-close-assumed'
    | 'fence-open-assumed'
    | 'frontmatter-in-code-fence'
    | 'frontmatter-not-first';
}

/** Where the frontmatter lies, as byte offsets. */
export interface Fences {
  readonly kind: 'found';
  readonly start: number;
  readonly end: number;
  /** Line of the first byte of the frontmatter. */
  readonly line: number;
  readonly bodyStart: number;
  /** First heading after the description, where the closing fence may have been forgotten. */
  readonly heading: { readonly offset: number; readonly line: number } | undefined;
  readonly notes: readonly FenceNote[];
}

/** What was found in place of frontmatter. */
export type FenceProblem =
  | { readonly kind: 'encoding'; readonly encoding: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'language'; readonly fence: string; readonly line: number }
  | { readonly kind: 'unclosed'; readonly line: number }
  | { readonly kind: 'too-large'; readonly line: number };

/** The bytes end before the answer is known, and the limit is not reached. */
export interface FenceOpenEnd {
  readonly kind: 'needs-more';
}

interface Line {
  readonly text: string;
  readonly start: number;
  /** Offset of the next line. */
  readonly next: number;
  readonly number: number;
  /** False for a last line that has no line end. */
  readonly terminated: boolean;
}

const fencePattern = /^---[ \t]*$/;
const blankPattern = /^[ \t]*$/;

/**
 * Finds the frontmatter within the first bytes of a file.
 *
 * @param complete says that the bytes are the whole file
 */
export function findFences(bytes: Uint8Array, complete: boolean): Fences | FenceProblem | FenceOpenEnd {
  const encoding = foreignEncoding(bytes);
  if (encoding !== undefined) return { kind: 'encoding', encoding };
  const whole = complete && bytes.length <= maxFrontmatterBytes;
  const head = bytes.subarray(0, maxFrontmatterBytes);
  const exhausted = whole || bytes.length >= maxFrontmatterBytes;
  const notes: FenceNote[] = [];
  const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  if (marked) notes.push({ code: 'byte-order-mark', line: 1, column: 1 });

  const lines = readLines(head, marked ? 3 : 0);
  let opening = lines.next();
  while (opening !== undefined && blankPattern.test(opening.text)) opening = lines.next();
  if (opening === undefined) return exhausted ? { kind: 'missing' } : { kind: 'needs-more' };
  if (!opening.terminated && !exhausted) return { kind: 'needs-more' };
  if (opening.number > 1) notes.push({ code: 'leading-blank-lines', line: 1, column: 1 });
  if (!fencePattern.test(opening.text)) return withoutOpening(opening);
  if (opening.text !== '---') notes.push({ code: 'fence-trailing-space', line: opening.number, column: 4 });

  let described = false;
  let heading: { offset: number; line: number } | undefined;
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (fencePattern.test(line.text) && (line.terminated || whole)) {
      const [start, end] = [opening.next, line.start];
      return { kind: 'found', start, end, line: opening.number + 1, bodyStart: line.next, heading, notes };
    }
    if (!described) described = /^description[ \t]*:/.test(line.text);
    else if (heading === undefined && /^#{1,6} /.test(line.text)) heading = { offset: line.start, line: line.number };
  }
  if (!exhausted) return { kind: 'needs-more' };
  if (heading !== undefined) {
    notes.push({ code: 'fence-close-assumed', line: heading.line, column: 1 });
    const [start, end] = [opening.next, heading.offset];
    return { kind: 'found', start, end, line: opening.number + 1, bodyStart: end, heading: undefined, notes };
  }
  return { kind: whole ? 'unclosed' : 'too-large', line: opening.number };
}

function withoutOpening(line: Line): FenceProblem {
  if (/^---[ \t]*[A-Za-z][\w+.-]*[ \t]*$/.test(line.text)) {
    return { kind: 'language', fence: line.text.trim(), line: line.number };
  }
  return { kind: 'missing' };
}

/** Names the encoding where the first bytes show that it is not UTF-8. */
function foreignEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x2d && second === 0)) return 'UTF-16 (little-endian)';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x2d)) return 'UTF-16 (big-endian)';
  return undefined;
}

/** Walks the lines of a file; a line ends with LF, CRLF or a lone CR. Only the first 200 bytes of a line are decoded. */
function readLines(bytes: Uint8Array, from: number): { next(): Line | undefined } {
  let start = from;
  let number = 0;
  return {
    next() {
      if (start >= bytes.length) return undefined;
      let end = start;
      while (end < bytes.length && bytes[end] !== 0x0a && bytes[end] !== 0x0d) end += 1;
      const terminated = end < bytes.length;
      const next = bytes[end] === 0x0d && bytes[end + 1] === 0x0a ? end + 2 : end + 1;
      number += 1;
      const line: Line = {
        text: beginningOf(bytes, start, end),
        start,
        next: Math.min(next, bytes.length),
        number,
        terminated,
      };
      start = next;
      return line;
    },
  };
}

/** Decodes the beginning of a line as Latin-1, which is enough to recognise fences, keys and headings. */
function beginningOf(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  const stop = Math.min(end, start + 200);
  for (let index = start; index < stop; index += 1) text += String.fromCharCode(bytes[index] ?? 0);
  // A fence is short; whatever is longer is marked so that blanks beyond the limit do not make it one.
  return stop < end && blankPattern.test(text.slice(3)) ? `${text}…` : text;
}
