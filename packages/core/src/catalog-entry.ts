// One skill as an entry of the catalog text, in each of its formats; what a plan weighs and what is rendered are the same.

import { escapeXml, oneLine } from './neutral-text.ts';

/** How the catalog is written for the model. */
export type CatalogFormat = 'xml' | 'markdown' | 'json';

/** The fields of an entry. A description that is empty is left out: the entry has a name only. */
export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
  /** Path of the `SKILL.md`, for models that read it with tools of their own. */
  readonly location?: string | undefined;
}

/** Renders one entry, one line a field, ended by a line feed in XML and Markdown. */
export function renderEntry(entry: CatalogEntry, format: CatalogFormat): string {
  const { name, description, location } = entry;
  switch (format) {
    case 'xml':
      return [
        '<skill>\n',
        `<name>${escapeXml(oneLine(name))}</name>\n`,
        description === '' ? '' : `<description>${escapeXml(oneLine(description))}</description>\n`,
        location === undefined ? '' : `<location>${escapeXml(oneLine(location))}</location>\n`,
        '</skill>\n',
      ].join('');
    case 'markdown':
      return `- ${[
        escapeMarkdown(name),
        escapeMarkdown(description),
        location === undefined ? '' : `(${escapeMarkdown(location)})`,
      ]
        .filter((part) => part !== '')
        .join(' — ')}\n`;
    case 'json':
      return JSON.stringify({
        name: oneLine(name),
        ...(description === '' ? {} : { description: oneLine(description) }),
        ...(location === undefined ? {} : { location: oneLine(location) }),
      });
  }
}

/** Renders the frame of a catalog around its entries. */
export function renderEntries(entries: readonly CatalogEntry[], format: CatalogFormat): string {
  if (entries.length === 0) return '';
  const rendered = entries.map((entry) => renderEntry(entry, format));
  switch (format) {
    case 'xml':
      return `<available_skills>\n${rendered.join('')}</available_skills>`;
    case 'markdown':
      return `### Available skills\n\n${rendered.join('').slice(0, -1)}`;
    case 'json':
      return `{"available_skills":[\n${rendered.join(',\n')}\n]}`;
  }
}

/** Keeps a text from being more than words: markup, code, emphasis and links are written as the characters they are. */
function escapeMarkdown(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>|]/g, (character) => `\\${character}`);
}
