// The sections of a Markdown text by their headings, so that a long one can be read in parts.

/** A heading and the lines of its section. */
export interface Section {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  /** First line, the heading's, counted from 1. */
  readonly start: number;
  /** Last line: the one before the next heading of the same or a higher level. */
  readonly end: number;
}

/** Splits a text into its lines, however they end: with a line feed, a carriage return or both. */
export function splitLines(text: string): readonly string[] {
  return text.split(/\r\n?|\n/);
}

const fenceLine = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/s;
const headingLine = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s;

/** Finds the ATX headings of a Markdown text, but not inside fenced code. Takes time in proportion to the text. */
export function outlineMarkdown(text: string): readonly Section[] {
  const lines = splitLines(text);
  const headings: Omit<Section, 'end'>[] = [];
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const [, ticks, marker = ticks] = fenceLine.exec(line) ?? [];
    if (fence !== undefined) {
      if (marker?.startsWith(fence) && line.trim() === marker) fence = undefined;
    } else if (marker !== undefined) {
      fence = marker;
    } else {
      const heading = headingLine.exec(line);
      if (heading?.[1] === undefined) continue;
      headings.push({ level: heading[1].length, title: titleOf(heading[2] ?? ''), start: index + 1 });
    }
  }
  return endSections(headings, lines.length);
}

/** Ends each section before the next heading of its own or a higher level, going through the headings from the end. */
function endSections(headings: readonly Omit<Section, 'end'>[], lastLine: number): readonly Section[] {
  const nextStart = new Map<number, number>();
  const sections = [...headings].reverse().map((heading) => {
    const end = (nextStart.get(heading.level) ?? lastLine + 1) - 1;
    for (let level = heading.level; level <= 6; level++) nextStart.set(level, heading.start);
    return { ...heading, end };
  });
  return sections.reverse();
}

/** Finds a section by its title, in any case, or by a part of a title that only one section has. */
export function findSection(sections: readonly Section[], title: string): Section | undefined {
  const wanted = titleOf(title).toLowerCase();
  const exact = sections.find((section) => section.title.toLowerCase() === wanted);
  if (exact !== undefined || wanted === '') return exact;
  const partial = sections.filter((section) => section.title.toLowerCase().includes(wanted));
  return partial.length === 1 ? partial[0] : undefined;
}

/** Removes the leading and closing number signs of a heading. */
function titleOf(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === '#') end--;
  const closed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  return (closed ? text.slice(0, end) : text).trim().replace(/^#+\s*/, '');
}
