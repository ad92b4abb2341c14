// Makes text from skills and paths safe for a terminal by escaping control and invisible characters.

/** Escapes a text of several lines. Keeps line ends, tabs and the joiners of scripts and emoji. */
export function terminalText(text: string): string {
  // Most texts contain only ASCII, dashes, quotes and `…`, which saves building the expression below at every start.
  if (/^[\n\t -~\u2010-\u2027]*$/u.test(text)) return text;
  return text.replace(/(?!\r\n|[\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, escapePoint);
}

/** Escapes a text as one line, including its line ends. */
export function terminalLine(text: string): string {
  return terminalText(text).replace(/[\n\r\t]/g, escapePoint);
}

/** Escapes prose as one line, with its white space collapsed. */
export function terminalProse(text: string): string {
  return terminalLine(text.replace(/\s+/gu, ' ').trim());
}

function escapePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
