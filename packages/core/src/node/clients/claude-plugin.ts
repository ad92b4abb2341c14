// Finds out where a plugin of Claude Code keeps its skills: in `skills`, or where its manifest or its marketplace says.

import { join, resolve } from 'node:path';
import { createDiagnostic, type Diagnostic, type DiagnosticSite, showText } from '../../diagnostics/diagnostic.ts';
import { kindOf, recordOf } from '../../runtime/record.ts';
import { isAtOrBelow } from '../disk/contained-file.ts';
import { nodeFileSystem } from '../disk/file-system.ts';
import { parseObject, readInPlugin } from './plugin-manifest.ts';

export interface ClaudePlugin {
  /** The name in its manifest, if it has one. */
  readonly name: string | undefined;
  /** The directories that are skills or contain skills, by absolute paths. They may be missing, or links. */
  readonly places: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the manifest of a plugin, and the entry with this name if a marketplace has the same directory as the plugin. Claude Code
 * copies such a marketplace once for each of its plugins. Returns `undefined` if there is neither.
 *
 * Named directories count in addition to `skills`; if a marketplace has the same directory, they count instead. A plugin that
 * names none and has no `skills` may be a skill itself.
 *
 * @see https://code.claude.com/docs/en/plugins-reference
 */
export function readClaudePlugin(directory: string, name: string, source: string): ClaudePlugin | undefined {
  const manifest = readFields(directory, 'plugin.json', source);
  const marketplace = readFields(directory, 'marketplace.json', source);
  const entry = entryOf(marketplace.fields?.['plugins'], name);
  if (manifest.fields === undefined && entry === undefined) return undefined;
  const [own, listed] = [placesIn(directory, manifest), placesIn(directory, { ...marketplace, fields: entry })];
  const named = [...own.places, ...listed.places];
  const standard = join(directory, 'skills');
  const isThere = nodeFileSystem.exists(standard);
  const isSkill = named.length === 0 && !isThere && nodeFileSystem.exists(join(directory, 'SKILL.md'));
  const ownName = manifest.fields?.['name'];
  return {
    name: typeof ownName === 'string' ? ownName : undefined,
    places: [
      ...(isThere && (entry === undefined || named.length === 0) ? [standard] : []),
      ...named,
      ...(isSkill ? [directory] : []),
    ],
    diagnostics: [...own.diagnostics, ...listed.diagnostics],
  };
}

/** A JSON file of a plugin. Without `fields`, there is none; with a `problem`, there are no fields in it. */
interface PluginFile {
  readonly site: DiagnosticSite;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  readonly problem?: string;
}

function readFields(directory: string, file: string, source: string): PluginFile {
  const site = { source, location: join(directory, '.claude-plugin', file) };
  const content = readInPlugin(directory, ['.claude-plugin', file]);
  if (content === undefined) return { site };
  if (typeof content === 'string') return { site, fields: {}, problem: `the file could not be read: ${content}` };
  const fields = parseObject(content);
  return fields === undefined ? { site, fields: {}, problem: 'the file is not JSON' } : { site, fields };
}

/** Finds the plugin with a name among those of a marketplace, if its directory is that of the marketplace. */
function entryOf(plugins: unknown, name: string): Readonly<Record<string, unknown>> | undefined {
  const entries = [plugins].flat().map(recordOf);
  return entries.find((entry) => entry['name'] === name && ['.', './'].includes(String(entry['source'])));
}

function placesIn(
  directory: string,
  { site, fields, problem }: PluginFile,
): Pick<ClaudePlugin, 'places' | 'diagnostics'> {
  const given = [fields?.['skills'] ?? []].flat();
  const reasons = given.filter((path) => !isPathIn(directory, path)).map(explainPath);
  return {
    places: given.filter((path) => isPathIn(directory, path)).map((path) => resolve(directory, path)),
    diagnostics: [...(problem === undefined ? [] : [problem]), ...reasons].map((reason) =>
      createDiagnostic('plugin-field-ignored', site, { field: 'skills', reason }),
    ),
  };
}

/** Checks a path by its text, as Claude Code does. Links are checked when the directory is searched. */
function isPathIn(directory: string, path: unknown): path is string {
  if (typeof path !== 'string' || path.includes('\0')) return false;
  return (path === '.' || path.startsWith('./')) && isAtOrBelow(directory, resolve(directory, path));
}

function explainPath(path: unknown): string {
  const shown = typeof path === 'string' ? `\`${showText(path)}\`` : kindOf(path);
  return `${shown} is not a path in the plugin that begins with \`./\``;
}
