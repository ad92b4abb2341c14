// Presents a text of several lines to a model: what a person could not see is removed or shown, and nothing breaks the frame.

import { escapeControlTokens } from './control-tokens.ts';
import { escapeWrapperTags, stripInvisible } from './neutral.ts';

/** A text as a model reads it. */
export interface PresentedText {
  readonly text: string;
  /** Whether characters were removed or shown that a person would not have seen. */
  readonly isChanged: boolean;
}

/** What a model is told about a text that was changed. */
export const changeNote = '[Hidden characters were removed or shown as symbols.]';

/**
 * Characters that control a terminal, end a line where no editor does, or have a glyph in one font only; tabs and line ends are
 * text.
 */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\p{Co}]/gu;

/**
 * Removes invisible characters, shows control characters as symbols or escapes, and takes the edge off control tokens and the
 * tags that wrap skills. Emoji sequences and the joiners of scripts stay.
 */
export function presentText(text: string): PresentedText {
  const visible = stripInvisible(text.replace(controls, showControl));
  const framed = escapeWrapperTags(escapeControlTokens(visible.replace(/\r(?!\n)/g, '\n')));
  return { text: framed, isChanged: visible !== text };
}

function showControl(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
