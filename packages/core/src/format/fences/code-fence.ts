// Recognises Markdown code blocks: around a whole file, as tools and models put it there, and around examples.

/** Checks whether a line opens a code block. */
export function opensCodeBlock(line: string): boolean {
  return /^(?:`{3,}|~{3,})[\w-]*[ \t]*$/.test(line);
}

/**
 * Returns where the code block around a text ends, so that only white space and its last line follow. Without it, each code block
 * in the text has two fences. Undefined if the last line closes one of these, or is text.
 *
 * @param text what is below the line that opens the code block
 */
export function findCodeBlockEnd(text: string): number | undefined {
  const fences = text.match(/^(?:`{3,}|~{3,})/gm)?.length ?? 0;
  if (fences % 2 === 0) return undefined;
  return /(?:^|[\r\n])(?:`{3,}|~{3,})\s*$/.exec(text)?.index;
}

/** The beginning of a code block or its end, or of the two versions that Git could not merge. */
const mark = /^ {0,3}(`{3,}|~{3,})|^[<>]{7}(?!\S)/gm;

/** Returns where the first conflict of Git begins that has an end. In code blocks, conflict markers are examples. */
export function findConflict(text: string): number | undefined {
  let closing = '';
  let start: number | undefined;
  for (const { 0: found, 1: fence, index } of text.matchAll(mark)) {
    if (fence !== undefined) closing = closing === '' ? fence : fence.startsWith(closing) ? '' : closing;
    else if (closing === '' && found.startsWith('<')) start = index;
    else if (start !== undefined) return start;
  }
  return undefined;
}
