// The sections of a Markdown text by their headings, so that a long one can be read in parts.

/** A heading and where its section lies. */
export interface Section {
  /** 1 to 6. */
  readonly level: number;
  readonly title: string;
  /** First line, the heading's, counted from 1. */
  readonly start: number;
  /** Last line: the one before the next heading of the same or a higher level. */
  readonly end: number;
}

/** Finds the ATX headings of a Markdown text; lines inside fenced code are none. Linear in the text. */
export function outlineMarkdown(text: string): readonly Section[] {
  const lines = text.split('\n');
  const headings: { level: number; title: string; start: number }[] = [];
  let fence: string | undefined;
  for (const [index, line] of lines.entries()) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (marker?.startsWith(fence) && line.trim() === marker) fence = undefined;
    } else if (marker !== undefined) {
      fence = marker;
    } else {
      const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line);
      if (heading?.[1] === undefined) continue;
      headings.push({ level: heading[1].length, title: titleOf(heading[2] ?? ''), start: index + 1 });
    }
  }
  return headings.map((heading, index) => {
    const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
    return { ...heading, end: next === undefined ? lines.length : next.start - 1 };
  });
}

/** Finds a section by its title, in any case, or by a part of a title that only one section has. */
export function findSection(sections: readonly Section[], title: string): Section | undefined {
  const wanted = titleOf(title).toLowerCase();
  const exact = sections.find((section) => section.title.toLowerCase() === wanted);
  if (exact !== undefined || wanted === '') return exact;
  const partial = sections.filter((section) => section.title.toLowerCase().includes(wanted));
  return partial.length === 1 ? partial[0] : undefined;
}

/** A title without the marks of a heading: leading and closing number signs. */
function titleOf(text: string): string {
  let end = text.trimEnd().length;
  while (text[end - 1] === '#') end--;
  const closed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  return (closed ? text.slice(0, end) : text).trim().replace(/^#+\s*/, '');
}
