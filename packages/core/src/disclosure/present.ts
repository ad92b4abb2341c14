// Prepares a text of several lines for a model: hidden characters are removed or shown, and nothing can break the wrapper.

import { escapeControlTokens } from '../text/control-tokens.ts';
import { stripInvisible } from '../text/invisible.ts';

/** Tells a model that a text was changed. */
export const changeNote = '[Hidden characters were removed or shown as symbols.]';

/**
 * Characters that control a terminal, end a line in no editor, or have a glyph in one font only. Tabs and line ends are not among
 * them.
 */
const controls =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ue000-\uf8ff\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/gu;

/**
 * Removes invisible characters, shows control characters as symbols or escapes, replaces unpaired surrogates, which providers
 * refuse, and escapes control tokens and the tags that wrap skills. Keeps emoji sequences and the joiners of scripts.
 * `isChanged` is about hidden characters only.
 */
export function presentText(text: string): { readonly text: string; readonly isChanged: boolean } {
  const visible = stripInvisible(text.toWellFormed().replace(controls, showControl));
  const escaped = escapeWrapperTags(escapeControlTokens(visible.replace(/\r(?!\n)/g, '\n')));
  return { text: escaped, isChanged: visible !== text };
}

function showControl(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  const hex = code.toString(16);
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** The tags that wrap skills, their files and the output of their scripts. */
const wrapperNames =
  'skill_content skill_active skill_inactive skill_resources skill_resource script_output available_skills'.split(' ');
const unseen = '\\p{Cf}\\p{DI}';
/** Built at first use, because building takes milliseconds that would delay the start of every program. */
let wrapperTags: RegExp | undefined;

/** Escapes the `<` of tags that wrap skills, so that no text can close its own wrapper or open another. */
export function escapeWrapperTags(text: string): string {
  wrapperTags ??= new RegExp(
    `<(?=[\\s${unseen}]*(?:/[\\s${unseen}]*)?(?:${wrapperNames.map((name) => [...name].join(`[${unseen}]*`)).join('|')})\\b)`,
    'giu',
  );
  return text.replace(wrapperTags, '&lt;');
}
