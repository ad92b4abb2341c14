// Makes text from skills and paths harmless for a terminal: what would steer it or hide in it is shown as an escape.

const unseen = /(?!\r\n|[\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const unseenOrBreak = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Shows a text of several lines. Line ends, tabs and the joiners of scripts and emoji stay. */
export function terminalText(text: string): string {
  return text.replace(unseen, showPoint);
}

/** Shows a text on one line, its line ends as escapes. */
export function terminalLine(text: string): string {
  return text.replace(unseenOrBreak, showPoint);
}

/** Shows prose on one line, with its white space collapsed. */
export function terminalProse(text: string): string {
  return terminalLine(text.replace(/\s+/gu, ' ').trim());
}

function showPoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
