// Recognises a Markdown code block around a whole file, as tools and models put it there.

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
