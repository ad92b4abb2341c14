// Reads the headings of a Markdown text, so that a model can read one section of a long text.

import { beforeLines, linesAtOnce, moveLine } from './lines.ts';
import { oneLine } from './neutral.ts';

/** A heading. */
export interface Heading {
  /** 1 to 6. */
  readonly level: number;
  /** On one line, without invisible characters. */
  readonly title: string;
  /** Its line, counted from 1. */
  readonly start: number;
}

/** A heading and the lines of its section. */
export interface Section extends Heading {
  /** Last line: the one before the next heading of the same or a higher level. */
  readonly end: number;
}

const fenceLine = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const headingLine = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s;

/**
 * Yields the ATX headings of a Markdown text outside fenced code, in order. After many lines without a heading, and at the end,
 * yields the number of lines so far instead. Takes time in proportion to the text.
 */
export function* parseHeadings(text: string): Generator<Heading | number> {
  const line = beforeLines();
  let fence: string | undefined;

  /** Returns the heading on the current line, if any, and tracks where fenced code begins and ends. */
  function parseLine(start: number): Heading | undefined {
    const mark = firstMark(text, line.start);
    if (mark !== '#' && mark !== '`' && mark !== '~') return undefined;
    const content = text.slice(line.start, line.end);
    const [, ticks, marker = ticks] = mark === '#' ? [] : (fenceLine.exec(content) ?? []);
    if (fence !== undefined) {
      if (marker?.startsWith(fence) && content.trim() === marker) fence = undefined;
      return undefined;
    }
    fence = marker;
    const [, signs, title = ''] = mark === '#' ? (headingLine.exec(content) ?? []) : [];
    return signs === undefined ? undefined : { level: signs.length, title: titleOf(title), start };
  }

  let lines = 0;
  for (let given = 0; moveLine(text, line); ) {
    lines += 1;
    const heading = parseLine(lines);
    if (heading === undefined && lines - given < linesAtOnce) continue;
    given = lines;
    yield heading ?? lines;
  }
  yield lines;
}

/** Returns the first headings below some lines of a Markdown text. */
export function firstHeadings(text: string, most: number, lines = 0): readonly Heading[] {
  const headings: Heading[] = [];
  for (const heading of parseHeadings(text)) {
    if (headings.length === most) break;
    if (typeof heading !== 'number' && heading.start > lines) headings.push(heading);
  }
  return headings;
}

function firstMark(text: string, start: number): string | undefined {
  let index = start;
  while (index < start + 3 && text[index] === ' ') index += 1;
  return text[index];
}

/** The result of a search for a section. */
export interface SoughtSection {
  readonly section?: Section;
  /** How many headings were seen. If there is no such section, that is all of them. */
  readonly total: number;
  readonly first: readonly Heading[];
}

/** Headings to keep for a list of what the text has instead. */
const maxSections = 50;

/**
 * Finds a section by its title, whatever the case, by its anchor in links, or by a part of a title that only one section has.
 * Gives other work a turn, because a text may have millions of headings.
 *
 * @param wait gives other work a turn if needed
 */
export async function findSection(
  text: string,
  title: string,
  wait: () => Promise<void> | undefined,
): Promise<SoughtSection> {
  const wanted = comparable(titleOf(title));
  const first: Heading[] = [];
  let total = 0;
  let lines = 0;
  let exact: OpenSection | undefined;
  let anchored: OpenSection | undefined;
  let partial: OpenSection | undefined;
  let partials = 0;
  for (const heading of parseHeadings(text)) {
    const waiting = wait();
    if (waiting !== undefined) await waiting;
    if (typeof heading === 'number') {
      lines = heading;
      continue;
    }
    total += 1;
    if (first.length < maxSections) first.push(heading);
    endAbove(heading, exact);
    endAbove(heading, anchored);
    endAbove(heading, partial);
    if (exact?.end !== undefined) break;
    const known = comparable(heading.title);
    const isAnchor = wanted !== '' && anchorOf(known) === wanted;
    if (known === wanted || (isAnchor && known.includes(' '))) exact ??= { ...heading };
    // `#c` may mean `C++`, but only if there is no `C`.
    else if (isAnchor) anchored ??= { ...heading };
    else if (wanted !== '' && known.includes(wanted)) {
      partials += 1;
      partial ??= { ...heading };
    }
  }
  const found = exact ?? anchored ?? (partials === 1 ? partial : undefined);
  return { total, first, ...(found === undefined ? {} : { section: { ...found, end: found.end ?? lines } }) };
}

/** A section whose end is not known yet. */
interface OpenSection extends Heading {
  end?: number;
}

/** Ends a section above a heading of its level or a higher one. */
function endAbove({ level, start }: Heading, section: OpenSection | undefined): void {
  if (section !== undefined && level <= section.level) section.end ??= start - 1;
}

const comparedCharacters = 200;

function comparable(title: string): string {
  return title.slice(0, comparedCharacters).normalize().toLowerCase();
}

/** Returns what a link to a section has after its `#`, as on GitHub: `#set-up` leads to `Set up!`. */
function anchorOf(title: string): string {
  return title.replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '').replaceAll(' ', '-');
}

/** Characters of a heading that are processed, because a heading may have megabytes. */
const longestTitle = 1_600;

/** Removes the number signs at both ends of a heading, and invisible characters. */
function titleOf(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === '#') end--;
  const closed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  const title = (closed ? text.slice(0, end) : text).trim().slice(0, longestTitle);
  return oneLine(title.replace(/^#+\s*/, ''));
}
