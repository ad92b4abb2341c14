// Parses the three tiers of skills from the text that reached the model, and throws if one is missing.

import { readElements, unescapeXml } from './markup.ts';

/** One entry of the catalog in the system prompt. */
export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
}

/** Reads tier 1 out of a system prompt. */
export function readCatalog(system: string): CatalogEntry[] {
  const catalogs = [...system.matchAll(/^## Skills\n\n.*\n\n((?:- .*(?:\n|$))+)/gm)];
  const [, catalog] = catalogs[0] ?? [];
  if (catalog === undefined) throw new Error('The catalog of skills is not in the system prompt.');
  if (catalogs.length > 1) throw new Error(`The catalog of skills is in the system prompt ${catalogs.length} times.`);
  return catalog.trim().split('\n').map(readEntry);
}

function readEntry(line: string): CatalogEntry {
  const [, name, description] = /^- ([^\s"]+): (.+)$/.exec(line) ?? [];
  if (name === undefined || description === undefined) throw new Error(`No skill in the catalog: ${line}`);
  return { name, description: unescapeXml(description) };
}

/** The instructions of a skill as the model sees them. */
export interface Instructions {
  readonly body: string;
  readonly files: readonly string[];
}

/** Reads tier 2 out of what the activation tool answered. */
export function readActivation(text: string, name: string): Instructions {
  if (!text.startsWith(`<skill_content name="${name}"`)) throw new Error(`Activating ${name} failed: ${text}`);
  const end = Math.max(text.lastIndexOf('\nDirectory: '), text.lastIndexOf('\nBytes and files in '));
  if (end === -1) throw new Error(`The activation of ${name} does not say where the skill is.`);
  const wrapped = text.slice(text.indexOf('\n') + 1, end);
  const files = [...text.slice(end).matchAll(/^\d+ (.*)$/gm)].map(([, path = '']) => unescapeXml(path));
  return { body: wrapped.trim(), files };
}

/** Reads tier 3 out of what the resource tool answered. */
export function readResource(text: string, path: string): string {
  const [content] = text.startsWith('<skill_resource ') ? readElements(text, 'skill_resource') : [];
  if (content === undefined) throw new Error(`Reading ${path} failed: ${text}`);
  return content.trim();
}
