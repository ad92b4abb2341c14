// Renders one skill as an entry of the catalog, in each format.

import { escapeBracket, squareToken } from '../text/control-tokens.ts';
import { escapeField, escapeJson, escapeXml, isWord, oneLine } from '../text/neutral.ts';

/** Format of the catalog for the model: a Markdown list with one line per skill, which costs least, XML or JSON. */
export type CatalogFormat = 'markdown' | 'xml' | 'json';

/** Renders an entry with a description, which must be on one line. If it is empty, the entry is only a name. */
export type RenderEntry = (description: string) => string;

/**
 * Prepares an entry, so that it can be rendered with descriptions of several lengths. The location is that of the `SKILL.md`, for
 * models that read it with their own tools.
 */
export function createEntry(
  { name, location }: { readonly name: string; readonly location?: string | undefined },
  format: CatalogFormat,
): RenderEntry {
  const place = location === undefined ? undefined : oneLine(location);
  switch (format) {
    case 'xml': {
      const before = `<skill>\n<name>${escapeField(name)}</name>\n`;
      const after = `${place === undefined ? '' : `<location>${escapeXml(place)}</location>\n`}</skill>\n`;
      return (text) => `${before}${text === '' ? '' : `<description>${escapeXml(text)}</description>\n`}${after}`;
    }
    case 'markdown': {
      const before = `- ${writeWord(oneLine(name))}${place === undefined ? '' : ` (${writeWord(place)})`}`;
      return (text) => `${before}${text === '' ? '' : `: ${escapeLine(text)}`}\n`;
    }
    case 'json': {
      const before = `{"name":${escapeJson(oneLine(name))}`;
      const after = `${place === undefined ? '' : `,"location":${escapeJson(place)}`}}`;
      return (text) => `${before}${text === '' ? '' : `,"description":${escapeJson(text)}`}${after}`;
    }
  }
}

/** Wraps the rendered entries of a catalog. */
export function wrapEntries(entries: readonly string[], format: CatalogFormat): string {
  if (entries.length === 0) return '';
  switch (format) {
    case 'xml':
      return `<available_skills>\n${entries.join('')}</available_skills>`;
    case 'markdown':
      return entries.join('').slice(0, -1);
    case 'json':
      return `{"available_skills":[\n${entries.join(',\n')}\n]}`;
  }
}

/** Writes a name or a location unchanged if it is clear where it ends, and as a JSON string otherwise. */
function writeWord(text: string): string {
  return isWord(text) ? text : escapeJson(text);
}

/** Escapes tags, control tokens of chat formats and fences in a line, but not quotes and emphasis. */
export function escapeLine(text: string): string {
  // One test takes half the time of two replacements, and a plan renders each line about ten times.
  if (!/[<`~[\]]/.test(text)) return text;
  return text
    .replace(/<|`{3,}|~{3,}/g, (found) => (found === '<' ? '&lt;' : [...found].map((mark) => `\\${mark}`).join('')))
    .replace(squareToken, escapeBracket);
}
