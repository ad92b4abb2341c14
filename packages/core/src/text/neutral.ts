// Makes a skill's text harmless before it enters a prompt as data: one line, no invisible characters, no markup.

import { markupOrToken, squareToken } from './control-tokens.ts';
import { stripInvisible, visibleRanges } from './invisible.ts';

const escapes: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
  ['[', '&#91;'],
  [']', '&#93;'],
]);

/** Escapes the five XML characters and control tokens in brackets, so that a text fits into an element or an attribute. */
export function escapeXml(text: string): string {
  return text.replace(markupOrToken, (character) => escapes.get(character) ?? character);
}

const unescapes: ReadonlyMap<string, string> = new Map([...escapes].map(([character, entity]) => [entity, character]));

/** Reverses `escapeXml`. */
export function unescapeXml(text: string): string {
  return text.replace(/&[#0-9a-z]{2,4};/g, (entity) => unescapes.get(entity) ?? entity);
}

/** Writes a value as JSON in which nothing can be a tag or a control token of a chat format. */
export function escapeJson(value: string | object): string {
  const escapePoint = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(/</g, escapePoint).replace(squareToken, escapePoint);
}

const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/gu;

/** Finds cheaply what `oneLine` may change, also repeated spaces, and spaces at either end. */
const needsWork = new RegExp(`[^${visibleRanges}]| {2}|^ | $`);

/** Puts a text on one line, without control characters, invisible characters, unpaired surrogates or repeated white space. */
export function oneLine(text: string): string {
  if (!needsWork.test(text)) return text;
  const visible = stripInvisible(text.replace(controls, ' '));
  return visible.toWellFormed().replace(/\s+/gu, ' ').trim();
}

/** Puts a text on one line of at most `limit` characters, and ends it with `…` if it was longer. */
export function shortLine(text: string, limit: number): string {
  // Only the part that could remain is processed, because the text may have megabytes.
  const line = oneLine(text.slice(0, limit * 8));
  if (line.length <= limit && text.length <= limit * 8) return line;
  return `${oneLine(line.slice(0, limit - 1)).replace(/\ufffd$/, '')}…`;
}

/** Makes a text safe for an element or an attribute of a prompt: one line, nothing invisible, no markup. */
export function escapeField(text: string): string {
  return escapeXml(oneLine(text));
}

/**
 * Checks whether a name or a place cannot be mistaken for more than one word in a sentence, or for markup: it has no spaces, and
 * only letters and digits at its ends.
 */
export function isWord(text: string): boolean {
  // Nearly all names match this, and the other expression takes a millisecond to build.
  if (/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(text)) return true;
  return /^[\p{L}\p{N}/.](?:[\p{L}\p{M}\p{N}./\\:@%~+_-]*[\p{L}\p{M}\p{N}])?$/u.test(text);
}

/**
 * Writes an escaped name for a sentence, in quotes if it could be mistaken for more than a name. An escaped name contains no
 * quotes.
 */
export function writeName(name: string): string {
  return isWord(name) ? name : `"${name}"`;
}

/** Joins the first `most` texts, and counts the others of the `total`. */
export function joinSome(
  texts: readonly string[],
  most: number,
  write: (text: string) => string,
  total: number = texts.length,
): string {
  const shown = texts.slice(0, most).map((text) => write(text));
  const rest = total - shown.length;
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${rest} more`;
}
