// Finds the two fences of a `SKILL.md` in its bytes, line by line and in linear time, without decoding the body.

import type { DiagnosticLog, Position } from '../../diagnostics/log.ts';
import { maxFrontmatterBytes } from '../../skill/limits.ts';
import { opensCodeBlock } from './code-fence.ts';
import { findFastFence, plainFenceLength } from './fast-fence.ts';
import { type Line, type Lines, splitLines } from './lines.ts';

/** A mistake in or before the opening fence that does not hide the frontmatter. */
interface FenceNote extends Position {
  readonly code:
    | 'leading-blank-lines'
    | 'fence-trailing-space'
    | 'fence-open-assumed'
    | 'frontmatter-in-code-fence'
    | 'frontmatter-not-first';
}

/** A heading, or text glued to a fence, below the description: there the body may begin. */
export interface Heading {
  readonly offset: number;
  readonly line: number;
  readonly bodyStart: number;
  /** True for `---# Title`. */
  readonly glued: boolean;
}

/** Where the frontmatter is, in byte offsets. */
export interface Fences {
  readonly start: number;
  readonly end: number;
  /** Line of the first byte of the frontmatter. */
  readonly line: number;
  readonly bodyStart: number;
  /** First heading between the description and the closing fence, which may belong to the body. */
  readonly heading: Heading | undefined;
  /** Whether the whole file is in a code fence. */
  readonly isWrapped: boolean;
}

interface FenceProblem {
  readonly code:
    | 'frontmatter-missing'
    | 'frontmatter-unclosed'
    | 'frontmatter-too-large'
    | 'link-as-text'
    | 'frontmatter-language'
    | 'conflict-markers';
  readonly line: number;
  /** The opening fence, if it names a language. */
  readonly fence?: string;
}

// Lines are matched as Latin-1, where the two bytes of a no-break space in UTF-8 are these two characters.
const fencePattern = /^---(?:[ \t]|\u00c2\u00a0)*$/;
const fieldPattern = /^(?:name|description)[ \t]*:/;
const linesBefore = 20;
const missing: FenceProblem = { code: 'frontmatter-missing', line: 1 };

/**
 * Finds the frontmatter within the first bytes of a file, and reports what is wrong with its fences. Undefined if there is
 * none; `needs-more` if more bytes could help, because the limit is not reached.
 *
 * @param complete whether the bytes are the whole file
 */
export function findFences(
  bytes: Uint8Array,
  complete: boolean,
  log: DiagnosticLog,
): Fences | 'needs-more' | undefined {
  const closing = findFastFence(bytes);
  if (closing === undefined) return findAnyFences(bytes, complete, log);
  const bodyStart = closing + plainFenceLength;
  return { start: plainFenceLength, end: closing, line: 2, bodyStart, heading: undefined, isWrapped: false };
}

function findAnyFences(bytes: Uint8Array, complete: boolean, log: DiagnosticLog): Fences | 'needs-more' | undefined {
  const encoding = foreignEncoding(bytes);
  if (encoding !== undefined) {
    log.report('encoding-unsupported', undefined, { encoding });
    return undefined;
  }
  const whole = complete && bytes.length <= maxFrontmatterBytes;
  const canGrow = !complete && bytes.length < maxFrontmatterBytes;
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const lines = splitLines(bytes.subarray(0, maxFrontmatterBytes), marked ? 3 : 0);
  const opening = findOpening(lines, whole);
  if (opening === undefined) return canGrow ? 'needs-more' : refuse(missing, log);
  if ('code' in opening) return refuse(opening, log);
  const { fence, heading } = findClosing(lines, opening.below, whole);
  if (fence === undefined && canGrow) return 'needs-more';
  if (fence === undefined && !opening.fenced) return refuse(missing, log);
  const closing = fence ?? heading;
  if (closing === undefined) {
    return refuse({ code: whole ? 'frontmatter-unclosed' : 'frontmatter-too-large', line: opening.line - 1 }, log);
  }
  if (marked) log.report('byte-order-mark', { line: 1, column: 1 });
  for (const note of opening.notes) log.report(note.code, note);
  if (closing === heading) log.report('fence-close-assumed', { line: heading.line, column: 1 });
  return {
    start: opening.start,
    end: closing.offset,
    line: opening.line,
    bodyStart: closing.bodyStart,
    heading: closing === heading ? undefined : heading,
    isWrapped: opening.notes.some(({ code }) => code === 'frontmatter-in-code-fence'),
  };
}

function refuse({ code, line, fence = '' }: FenceProblem, log: DiagnosticLog): undefined {
  const place = { line, column: 1 };
  if (code === 'frontmatter-language') log.report(code, place, { fence });
  else if (code === 'frontmatter-too-large') log.report(code, place, { limit: maxFrontmatterBytes });
  else log.report(code, place);
}

interface Opening {
  /** Offset of the first byte of the frontmatter. */
  readonly start: number;
  readonly line: number;
  /** Index of the first line that may be the closing fence. */
  readonly below: number;
  /** False if the opening fence is missing and the file begins with the fields. */
  readonly fenced: boolean;
  readonly notes: readonly FenceNote[];
}

/** Finds the opening fence, or the first field if the fence is missing; undefined if more bytes could help. */
function findOpening(lines: Lines, whole: boolean): Opening | FenceProblem | undefined {
  const index = skipEmpty(lines, 0);
  const first = lines(index);
  const below = index + 1;
  if (first === undefined || !(first.terminated || whole)) return undefined;
  const { text, number: line, start, next } = first;
  if (fencePattern.test(text)) {
    const notes: FenceNote[] = line > 1 ? [{ code: 'leading-blank-lines', line: 1, column: 1 }] : [];
    if (text !== '---') notes.push({ code: 'fence-trailing-space', line, column: 4 });
    return { start: next, line: line + 1, below, fenced: true, notes };
  }
  if (/^---[ \t]*[A-Za-z][\w+.-]*[ \t]*$/.test(text)) return { code: 'frontmatter-language', fence: text.trim(), line };
  if (/^<{7}(?: |$)/.test(text)) return { code: 'conflict-markers', line };
  if (fieldPattern.test(text)) {
    return { start, line, below, fenced: false, notes: [{ code: 'fence-open-assumed', line, column: 1 }] };
  }
  const isPath = lines(below) === undefined && /^\.{0,2}[\w@.-]*(?:\/[\w@.-]+)+$/.test(text);
  return isPath && whole ? { code: 'link-as-text', line } : findLaterOpening(lines, first, whole);
}

/** Finds an opening fence that comes after other text and is followed by a field. */
function findLaterOpening(lines: Lines, first: Line, whole: boolean): Opening | FenceProblem | undefined {
  let previous = first;
  for (let line = lines(first.number); line !== undefined; line = lines(line.number)) {
    if (!(line.terminated || whole) || line.number > first.number + linesBefore) break;
    if (fencePattern.test(line.text)) {
      const below = skipEmpty(lines, line.number);
      const field = lines(below);
      if (!whole && !field?.terminated) return undefined;
      if (field === undefined || !fieldPattern.test(field.text)) return missing;
      const wrapped = previous === first && opensCodeBlock(first.text);
      const code = wrapped ? 'frontmatter-in-code-fence' : 'frontmatter-not-first';
      const notes: FenceNote[] = [{ code, line: first.number, column: 1 }];
      return { start: line.next, line: line.number + 1, below, fenced: true, notes };
    }
    if (!isEmpty(line)) previous = line;
  }
  return whole || previous.number >= first.number + linesBefore - 1 ? missing : undefined;
}

/** Finds the closing fence, and the first line below the description at which the body may begin. */
function findClosing(lines: Lines, below: number, whole: boolean) {
  let described = false;
  let heading: Fences['heading'];
  for (let line = lines(below); line !== undefined; line = lines(line.number)) {
    const { text, start: offset, next, number, terminated } = line;
    if (fencePattern.test(text) && (terminated || whole)) return { fence: { offset, bodyStart: next }, heading };
    if (described && heading === undefined && headingPattern.test(text)) {
      const glued = text.startsWith('-');
      heading = { offset, line: number, bodyStart: offset + (glued ? 3 : 0), glued };
    }
    described ||= /^description[ \t]*:/.test(text);
  }
  return { fence: undefined, heading };
}

/** A heading, or text glued to a fence. */
const headingPattern = /^(?:---[^\s-]|#{1,6} )/;

function isEmpty({ text }: Line): boolean {
  return /^[ \t]*$/.test(text);
}

/** Returns the index of the first line that is not empty, from an index on. */
function skipEmpty(lines: Lines, from: number): number {
  let index = from;
  for (let line = lines(index); line !== undefined && isEmpty(line); line = lines(index)) index += 1;
  return index;
}

/** Returns the name of the encoding if the first bytes show that it is not UTF-8. */
function foreignEncoding(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x2d && second === 0)) return 'UTF-16 (little-endian)';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x2d)) return 'UTF-16 (big-endian)';
  return undefined;
}
