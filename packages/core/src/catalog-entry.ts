// One skill as an entry of the catalog text, in each of its formats; what a plan weighs and what is rendered are the same.

import { escapeField, escapeJson, escapeXml, oneLine } from './neutral-text.ts';

/** How the catalog is written for the model. */
export type CatalogFormat = 'xml' | 'markdown' | 'json';

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
      const before = `- ${escapeMarkdown(oneLine(name))}`;
      const after = `${place === undefined ? '' : ` — (${escapeMarkdown(place)})`}\n`;
      return (text) => `${before}${text === '' ? '' : ` — ${escapeMarkdown(text)}`}${after}`;
    }
    case 'json': {
      const before = `{"name":${escapeJson(oneLine(name))}`;
      const after = `${place === undefined ? '' : `,"location":${escapeJson(place)}`}}`;
      return (text) => `${before}${text === '' ? '' : `,"description":${escapeJson(text)}`}${after}`;
    }
  }
}

/** Puts the frame of a catalog around its rendered entries. */
export function frameEntries(entries: readonly string[], format: CatalogFormat): string {
  if (entries.length === 0) return '';
  switch (format) {
    case 'xml':
      return `<available_skills>\n${entries.join('')}</available_skills>`;
    case 'markdown':
      return `### Available skills\n\n${entries.join('').slice(0, -1)}`;
    case 'json':
      return `{"available_skills":[\n${entries.join(',\n')}\n]}`;
  }
}

/** Keeps a text from being more than words: markup, code, emphasis and links are written as the characters they are. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, (character) => (character === '<' ? '&lt;' : `\\${character}`));
}
