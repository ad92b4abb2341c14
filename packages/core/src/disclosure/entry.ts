// One skill as an entry of the catalog text, in each of its formats; what a plan weighs and what is rendered are the same.

import { escapeField, escapeJson, escapeXml, isWord, oneLine } from '../text/neutral.ts';

/** How the catalog is written for the model: as a list of one line a skill, which costs least, or as elements or JSON. */
export type CatalogFormat = 'markdown' | 'xml' | 'json';

/** The fields of an entry that stay the same however much of the description is shown. */
export interface CatalogEntry {
  readonly name: string;
  /** Path of the `SKILL.md`, for models that read it with tools of their own. */
  readonly location?: string | undefined;
}

/** Renders an entry with a description that is on one line already; with an empty one, the entry has a name only. */
export type RenderEntry = (description: string) => string;

/** Prepares an entry, one line a field, so that it can be rendered with descriptions of many lengths. */
export function createEntry({ name, location }: CatalogEntry, format: CatalogFormat): RenderEntry {
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

/** Puts the frame of a catalog around its rendered entries. */
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

/** Writes a name or a location as it is where its end cannot be mistaken, and as a JSON string otherwise. */
function writeWord(text: string): string {
  return isWord(text) ? text : escapeJson(text);
}

/** Keeps words in a line from being a tag, a control token of a chat format or a fence; quotes and emphasis stay as they are. */
export function escapeLine(text: string): string {
  return text.replace(/<|\[(?=\/?INST\])|`{3,}|~{3,}/g, (found) => {
    if (found === '<') return '&lt;';
    return found === '[' ? '&#91;' : [...found].map((mark) => `\\${mark}`).join('');
  });
}
