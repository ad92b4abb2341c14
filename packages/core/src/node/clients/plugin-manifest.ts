// Reads the `plugin.json` of an Agent Plugin according to the closed schema of that standard, or explains why it is invalid.

import { join } from 'node:path';
import { createDiagnostic, type Diagnostic, type DiagnosticSite } from '../../diagnostics/diagnostic.ts';
import { isRecord, isTextList } from '../../runtime/record.ts';
import { openContained } from '../disk/contained-file.ts';
import { nodeFileSystem } from '../disk/file-system.ts';
import { explainFailure, readAndClose } from '../disk/read.ts';

/** The result of reading a `plugin.json`. */
export interface PluginManifest {
  /** Name of the plugin; absent if the plugin is rejected. */
  readonly name?: string;
  /** The schema that the manifest names, even if it is unknown. */
  readonly schema?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The only known schema. It is compared as text and never fetched. */
const knownSchema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';

const maxManifestBytes = 1024 * 1024;

const textFields = ['version', 'description', 'homepage', 'repository', 'license'] as const;
const fields: ReadonlySet<string> = new Set(['$schema', 'name', 'author', 'keywords', 'extensions', ...textFields]);
const authorFields: ReadonlySet<string> = new Set(['name', 'email', 'url']);

/** Reads the manifest of a plugin; `undefined` if there is none. */
export function readPluginManifest(directory: string, source: string): PluginManifest | undefined {
  const site = { source, location: join(directory, 'plugin.json') };
  const content = readInPlugin(directory, ['plugin.json']);
  if (content === undefined) return undefined;
  if (typeof content === 'string') return rejectPlugin(site, `\`plugin.json\` could not be read: ${content}`);
  return parsePluginManifest(content, site);
}

/** Reads a small file of a plugin, or explains why that failed; `undefined` if there is none. */
export function readInPlugin(directory: string, segments: readonly string[]): Uint8Array | string | undefined {
  try {
    const file = openContained(nodeFileSystem, nodeFileSystem.realpath(directory), segments);
    return readAndClose(nodeFileSystem, file, maxManifestBytes + 1);
  } catch (error) {
    return explainFailure(error, 'the plugin');
  }
}

/** Returns the result for a plugin that is rejected. */
export function rejectPlugin(site: DiagnosticSite, reason: string): PluginManifest {
  return { diagnostics: [createDiagnostic('plugin-invalid', site, { reason })] };
}

/** Parses a manifest. The first violation of the schema rejects it; unknown fields are ignored. */
export function parsePluginManifest(content: Uint8Array, site: DiagnosticSite): PluginManifest {
  const manifest = parseObject(content);
  if (manifest === undefined) return rejectPlugin(site, '`plugin.json` is not a JSON object of at most 1 MiB');
  const { $schema: named, name, extensions = {} } = manifest;
  const schema = typeof named === 'string' ? { schema: named } : {};
  const violation = findViolation(manifest);
  if (violation !== undefined || !isPluginName(name))
    return { ...schema, ...rejectPlugin(site, violation ?? nameRule) };
  const unknown = Object.keys(manifest).filter((field) => !fields.has(field));
  const ignored = [
    ...unknown.map((field) => ({ field, reason: 'the standard has no such field' })),
    ...(isRecord(extensions) ? [] : [{ field: 'extensions', reason: 'it is not an object' }]),
  ];
  const diagnostics = ignored.map((each) => createDiagnostic('plugin-field-ignored', site, each));
  return { ...schema, name, diagnostics };
}

/** Finds a violation of the schema in any field except the name. */
function findViolation(manifest: Readonly<Record<string, unknown>>): string | undefined {
  const { $schema: schema, author = {}, keywords = [], extensions } = manifest;
  if (schema !== knownSchema) return `\`$schema\` is not \`${knownSchema}\`, the only known schema`;
  const wrong = textFields.find((field) => Object.hasOwn(manifest, field) && typeof manifest[field] !== 'string');
  if (wrong !== undefined) return `\`${wrong}\` is not a string`;
  if (!isAuthor(author)) return '`author` is not an object with the strings `name`, `email` and `url`';
  if (!isTextList(keywords)) return '`keywords` is not a list of strings';
  if (isRecord(extensions) && !Object.values(extensions).every(isRecord)) {
    return 'a member of `extensions` is not an object';
  }
  return undefined;
}

const nameRule =
  '`name` must be 1 to 64 of a-z, 0-9, - and ., begin and end with a letter or digit, and not contain -- or ..';

function isPluginName(name: unknown): name is string {
  if (typeof name !== 'string') return false;
  return name.length <= 64 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name) && !/--|\.\./.test(name);
}

function isAuthor(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(([field, text]) => authorFields.has(field) && typeof text === 'string')
  );
}

/** Parses a manifest; `undefined` if it is not a JSON object of at most 1 MiB. */
export function parseObject(content: Uint8Array): Record<string, unknown> | undefined {
  if (content.length > maxManifestBytes) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
