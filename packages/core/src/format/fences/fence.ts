// Finds the two fences of a `SKILL.md` in its bytes, line by line and in linear time, without decoding the body.

import type { Position } from '../../diagnostics/log.ts';
import { maxFrontmatterBytes } from '../../skill/limits.ts';
import { findFastFence, plainFenceLength } from './fast-fence.ts';
import { type Line, type Lines, splitLines } from './lines.ts';

/** A fence that was not written as it should be and was understood all the same. */
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

/** A heading, or text glued to a fence, below the description. */
export interface Heading {
  readonly offset: number;
  readonly line: number;
  readonly bodyStart: number;
  /** True for `---# Title`. */
  readonly glued: boolean;
}

/** Where the frontmatter is, in byte offsets. */
export interface Fences {
  readonly kind: 'found';
  readonly start: number;
  readonly end: number;
  /** Line of the first byte of the frontmatter. */
  readonly line: number;
  readonly bodyStart: number;
  /** First heading below the description, above which the closing fence may be missing. */
  readonly heading: Heading | undefined;
  readonly notes: readonly FenceNote[];
}

/** What was found instead of frontmatter. */
export type FenceProblem =
  | { readonly kind: 'encoding'; readonly encoding: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'link-text'; readonly line: number }
  | { readonly kind: 'language'; readonly fence: string; readonly line: number }
  | { readonly kind: 'unclosed'; readonly line: number }
  | { readonly kind: 'too-large'; readonly line: number };

/** More bytes could help, because the limit is not reached. */
export interface FenceOpenEnd {
  readonly kind: 'needs-more';
}

// Lines are matched as Latin-1, in which a no-break space of UTF-8 is these two characters.
const fencePattern = /^---(?:[ \t]|\u00c2\u00a0)*$/;
const emptyPattern = /^[ \t]*$/;
const fieldPattern = /^(?:name|description)[ \t]*:/;
const linesBefore = 20;
const noNotes: readonly FenceNote[] = Object.freeze([]);

/**
 * Finds the frontmatter within the first bytes of a file.
 *
 * @param complete whether the bytes are the whole file
 */
export function findFences(bytes: Uint8Array, complete: boolean): Fences | FenceProblem | FenceOpenEnd {
  const closing = findFastFence(bytes);
  if (closing === undefined) return findAnyFences(bytes, complete);
  const bodyStart = closing + plainFenceLength;
  return {
    kind: 'found',
    start: plainFenceLength,
    end: closing,
    line: 2,
    bodyStart,
    heading: undefined,
    notes: noNotes,
  };
}

function findAnyFences(bytes: Uint8Array, complete: boolean): Fences | FenceProblem | FenceOpenEnd {
  const encoding = foreignEncoding(bytes);
  if (encoding !== undefined) return { kind: 'encoding', encoding };
  const whole = complete && bytes.length <= maxFrontmatterBytes;
  const exhausted = whole || bytes.length >= maxFrontmatterBytes;
  const head = bytes.length <= maxFrontmatterBytes ? bytes : bytes.subarray(0, maxFrontmatterBytes);
  const marked = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf;
  const lines = splitLines(head, marked ? 3 : 0);
  const opening = findOpening(lines, whole);
  if (opening === undefined) return exhausted ? { kind: 'missing' } : { kind: 'needs-more' };
  if ('kind' in opening) return opening;
  const notes = [...opening.notes];
  if (marked) notes.unshift({ code: 'byte-order-mark', line: 1, column: 1 });
  const closing = findClosing(lines, whole);
  const found = { kind: 'found' as const, start: opening.start, line: opening.line };
  if (closing.fence !== undefined) {
    const { start, next } = closing.fence;
    return { ...found, end: start, bodyStart: next, heading: closing.heading, notes };
  }
  if (!exhausted) return { kind: 'needs-more' };
  if (closing.heading !== undefined && opening.fenced) {
    const { offset, line, bodyStart } = closing.heading;
    notes.push({ code: 'fence-close-assumed', line, column: 1 });
    return { ...found, end: offset, bodyStart, heading: undefined, notes };
  }
  if (!opening.fenced) return { kind: 'missing' };
  return { kind: whole ? 'unclosed' : 'too-large', line: opening.line - 1 };
}

interface Opening {
  /** Offset of the first byte of the frontmatter. */
  readonly start: number;
  readonly line: number;
  /** False if the file begins with its fields. */
  readonly fenced: boolean;
  readonly notes: readonly FenceNote[];
}

/** Finds the opening fence, or a field in its place; undefined if more bytes could help. */
function findOpening(lines: Lines, whole: boolean): Opening | FenceProblem | undefined {
  let line = lines.next();
  while (line !== undefined && emptyPattern.test(line.text())) line = lines.next();
  if (line === undefined || !(line.terminated || whole)) return undefined;
  const text = line.text();
  const place = { line: line.number, column: 1 };
  if (fencePattern.test(text)) {
    const notes: FenceNote[] = line.number > 1 ? [{ code: 'leading-blank-lines', line: 1, column: 1 }] : [];
    if (text !== '---') notes.push({ code: 'fence-trailing-space', line: line.number, column: 4 });
    return { start: line.next, line: line.number + 1, fenced: true, notes };
  }
  if (/^---[ \t]*[A-Za-z][\w+.-]*[ \t]*$/.test(text)) {
    return { kind: 'language', fence: text.trim(), line: line.number };
  }
  if (fieldPattern.test(text)) {
    return { start: line.start, line: line.number, fenced: false, notes: [{ code: 'fence-open-assumed', ...place }] };
  }
  const path = /^\.{0,2}[\w@.-]*(?:\/[\w@.-]+)+$/.test(text);
  if (path && whole && lines.next() === undefined) return { kind: 'link-text', line: line.number };
  return findLaterOpening(line, lines, whole);
}

/** Looks below other text for a fence with a field below it. */
function findLaterOpening(first: Line, lines: Lines, whole: boolean): Opening | FenceProblem | undefined {
  let previous = first;
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (!(line.terminated || whole) || line.number > first.number + linesBefore) break;
    if (fencePattern.test(line.text())) {
      const fence = line;
      do line = lines.next();
      while (line !== undefined && emptyPattern.test(line.text()));
      if (line === undefined) break;
      if (!fieldPattern.test(line.text())) return { kind: 'missing' };
      lines.back(line);
      const wrapped = /^(?:```|~~~)[\w-]*[ \t]*$/.test(previous.text());
      const code = wrapped && previous === first ? 'frontmatter-in-code-fence' : 'frontmatter-not-first';
      const notes: FenceNote[] = [{ code, line: first.number, column: 1 }];
      return { start: fence.next, line: fence.number + 1, fenced: true, notes };
    }
    if (!emptyPattern.test(line.text())) previous = line;
  }
  return whole || previous.number >= first.number + linesBefore - 1 ? { kind: 'missing' } : undefined;
}

interface Closing {
  readonly fence: Line | undefined;
  readonly heading: Fences['heading'];
}

/** Finds the closing fence, and the first line below the description at which the body may begin. */
function findClosing(lines: Lines, whole: boolean): Closing {
  let described = false;
  let heading: Fences['heading'];
  for (let line = lines.next(); line !== undefined; line = lines.next()) {
    if (line.first === 0x2d && fencePattern.test(line.text()) && (line.terminated || whole)) {
      return { fence: line, heading };
    }
    if (!described) {
      described = line.first === 0x64 && /^description[ \t]*:/.test(line.text(20));
    } else if (heading === undefined && (line.first === 0x2d || line.first === 0x23)) {
      const glued = /^---[^\s-]/.test(line.text());
      if (glued || /^#{1,6} /.test(line.text())) {
        heading = { offset: line.start, line: line.number, bodyStart: line.start + (glued ? 3 : 0), glued };
      }
    }
  }
  return { fence: undefined, heading };
}

/** Names the encoding if the first bytes show that it is not UTF-8. */
function foreignEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x2d && second === 0)) return 'UTF-16 (little-endian)';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x2d)) return 'UTF-16 (big-endian)';
  return undefined;
}
