// Reads the `plugin.json` of an Agent Plugin according to the closed schema of that standard, or explains why it is invalid.

import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { createDiagnostic, type Diagnostic, type DiagnosticSite } from '../../diagnostics/diagnostic.ts';
import { isRecord, isTextList, parseJson } from '../../runtime/record.ts';
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

/** An object in a JSON file, whose values are not checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The only known schema. It is compared as text and never fetched. */
const knownSchema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';

const maxManifestBytes = 1024 * 1024;

const textFields = ['version', 'description', 'homepage', 'repository', 'license'] as const;
const fields: ReadonlySet<string> = new Set(['$schema', 'name', 'author', 'keywords', 'extensions', ...textFields]);
const authorFields: ReadonlySet<string> = new Set(['name', 'email', 'url']);

/** Reads the manifest of a plugin; `undefined` if there is none. */
export function readPluginManifest(directory: string, source: string): PluginManifest | undefined {
  const site = { source, location: join(directory, 'plugin.json') };
  const manifest = readObject(directory, ['plugin.json']);
  return manifest === undefined ? undefined : checkManifest(manifest, site);
}

/** Reads a JSON object in a plugin, or says what is wrong with the file; `undefined` if there is none. */
export function readObject(directory: string, segments: readonly string[]): JsonObject | string | undefined {
  try {
    const file = openContained(nodeFileSystem, nodeFileSystem.realpath(directory), segments);
    return parseObject(readAndClose(nodeFileSystem, file, maxManifestBytes + 1));
  } catch (error) {
    const reason = explainFailure(error, 'the plugin');
    return reason === undefined ? undefined : `could not be read: ${reason}`;
  }
}

/** Parses a JSON object, or says that the content is not one. */
export function parseObject(content: Uint8Array): JsonObject | string {
  const isText = content.length <= maxManifestBytes && isUtf8(content);
  const value = isText ? parseJson(new TextDecoder().decode(content)) : undefined;
  return isRecord(value) ? value : 'is not a JSON object of at most 1 MiB';
}

/** Returns the result for a plugin that is rejected. */
export function rejectPlugin(site: DiagnosticSite, reason: string): PluginManifest {
  return { diagnostics: [createDiagnostic('plugin-invalid', site, { reason })] };
}

/** Checks what was read of a manifest. The first violation of the schema rejects it; unknown fields are ignored. */
export function checkManifest(manifest: JsonObject | string, site: DiagnosticSite): PluginManifest {
  if (typeof manifest === 'string') return rejectPlugin(site, `\`plugin.json\` ${manifest}`);
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
function findViolation(manifest: JsonObject): string | undefined {
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
