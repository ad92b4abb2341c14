// Understands the three tiers of skills from the text that reached the model, and complains where one is missing.

import { readElements, unescapeXml } from './markup.ts';

/** One entry of the catalog in the system prompt. */
export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
}

/** Reads tier 1 out of a system prompt. */
export function readCatalog(system: string): CatalogEntry[] {
  const catalogs = readElements(system, 'available_skills');
  const [catalog] = catalogs;
  if (catalog === undefined) throw new Error('The catalog of skills is not in the system prompt.');
  if (catalogs.length > 1) throw new Error(`The catalog of skills is in the system prompt ${catalogs.length} times.`);
  return readElements(catalog, 'skill').map((entry) => ({
    name: readField(entry, 'name'),
    description: readField(entry, 'description'),
  }));
}

function readField(entry: string, field: string): string {
  const [value] = readElements(entry, field);
  if (value === undefined) throw new Error(`A skill in the catalog has no ${field}.`);
  return unescapeXml(value);
}

/** The instructions of a skill as the model sees them. */
export interface Instructions {
  readonly body: string;
  readonly files: readonly string[];
}

/** Reads tier 2 out of what the activation tool answered. */
export function readActivation(text: string, name: string): Instructions {
  if (!text.startsWith(`<skill_content name="${name}"`)) throw new Error(`Activating ${name} failed: ${text}`);
  const end = text.lastIndexOf('\nSkill directory: ');
  if (end === -1) throw new Error(`The activation of ${name} does not say where the skill is.`);
  const wrapped = text.slice(text.indexOf('\n') + 1, end);
  const resources = readElements(text.slice(end), 'skill_resources').join('\n');
  return { body: wrapped.trim(), files: readElements(resources, 'file').map(unescapeXml) };
}

/** Reads tier 3 out of what the resource tool answered. */
export function readResource(text: string, path: string): string {
  const [content] = text.startsWith('<skill_resource ') ? readElements(text, 'skill_resource') : [];
  if (content === undefined) throw new Error(`Reading ${path} failed: ${text}`);
  return content.trim();
}
