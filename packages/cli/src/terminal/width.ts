// Counts the columns that a text takes up in a terminal.

const isAscii = /^[ -~]*$/u;

/** Created only for texts that need it, because that takes a third of the time that Node needs to start. */
let segmenter: Intl.Segmenter | undefined;

/** Splits a text into units that a terminal shows as one character. */
export function splitCharacters(text: string): readonly string[] {
  // Parts of characters: accents, joiners, skin tones, halves of flags, and letters of Korean syllables.
  const parts = /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;
  if (isAscii.test(text) || !parts.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Counts the columns of a text without control characters. Characters of East Asia and emoji take up two. */
export function textWidth(text: string): number {
  if (isAscii.test(text)) return text.length;
  const wide =
    /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\ufe0f/u;
  let width = 0;
  // Some letters of Indic scripts and Thai are one character of several columns.
  for (const segment of splitCharacters(text)) {
    width += wide.test(segment) ? 2 : [...segment.replace(/[\p{Mn}\p{Me}\p{Cf}]/gu, '')].length;
  }
  return width;
}

/** Breaks a line between words, and indents the rest. Long words and commands in backticks stay whole. */
export function breakLine(line: string, columns: number): string {
  if (line.length * 2 <= columns || textWidth(withoutColours(line)) <= columns) return line;
  let broken = '';
  let width = 0;
  for (const [, space = '', word = ''] of line.matchAll(/( *)((?:`[^`]{1,60}`|[^ ])+)/gu)) {
    const wordWidth = textWidth(withoutColours(word));
    const fits = broken === '' || width + space.length + wordWidth <= columns;
    broken += (fits ? space : `\n${indent}`) + word;
    width = (fits ? width + space.length : indent.length) + wordWidth;
  }
  return broken;
}

const indent = '  ';

function withoutColours(text: string): string {
  return text.replace(/\u001b\[\d+m/gu, '');
}
