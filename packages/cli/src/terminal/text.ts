// Makes text from skills and paths safe for a terminal: control and invisible characters are escaped.

const unseen = /(?!\r\n|[\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const unseenOrBreak = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes a text of several lines. Keeps line ends, tabs and the joiners of scripts and emoji. */
export function terminalText(text: string): string {
  return text.replace(unseen, escapePoint);
}

/** Escapes a text as one line, including its line ends. */
export function terminalLine(text: string): string {
  return text.replace(unseenOrBreak, escapePoint);
}

/** Escapes prose as one line, with its white space collapsed. */
export function terminalProse(text: string): string {
  return terminalLine(text.replace(/\s+/gu, ' ').trim());
}

function escapePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
