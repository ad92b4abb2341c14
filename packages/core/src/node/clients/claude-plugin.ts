// Finds out where a plugin of Claude Code keeps its skills: in `skills`, or where its manifest or its marketplace says.

import { basename, join, resolve } from 'node:path';
import { createDiagnostic, type Diagnostic, type DiagnosticSite, showText } from '../../diagnostics/diagnostic.ts';
import { kindOf, recordOf } from '../../runtime/record.ts';
import { isAtOrBelow } from '../disk/contained-file.ts';
import { mayBeThere, nodeFileSystem } from '../disk/file-system.ts';
import { type JsonObject, readObject } from './plugin-manifest.ts';

/** What the files in `.claude-plugin` say about a plugin. */
export interface ClaudePlugin {
  readonly name: string;
  /**
   * The directories that are skills or contain skills, by absolute paths. They may be missing, or links. Absent if there is neither
   * a manifest nor an entry of a marketplace.
   */
  readonly places?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the manifest of a plugin, and its entry if a marketplace has the same directory as the plugin. Claude Code copies such a
 * marketplace once for each of its plugins.
 *
 * Named directories count in addition to `skills`. If there is an entry, they count instead, unless the plugin itself is among them
 * or none of them exists. A plugin that names none and has no `skills` may be a skill itself.
 *
 * @param givenName the name under which the plugin was installed; without it, the manifest says it
 * @see https://code.claude.com/docs/en/plugins-reference
 */
export function readClaudePlugin(directory: string, source: string, givenName?: string): ClaudePlugin {
  const manifest = readFields(directory, 'plugin.json', source);
  const marketplace = readFields(directory, 'marketplace.json', source);
  const ownName = manifest.fields?.['name'];
  const name = givenName ?? (typeof ownName === 'string' && ownName !== '' ? ownName : basename(directory));
  const entry = entryOf(marketplace.fields?.['plugins'], name);
  const listing = { ...marketplace, fields: entry };
  const diagnostics = [manifest, listing].flatMap((file) => reportIgnored(directory, file));
  if (manifest.fields === undefined && entry === undefined) return { name, diagnostics };
  const given = [manifest, listing].flatMap(pathsIn);
  const named = given.filter((path) => isPathIn(directory, path)).map((path) => resolve(directory, path));
  const standard = join(directory, 'skills');
  // A broken link counts, too, so that it is reported.
  const isThere = mayBeThere(nodeFileSystem, standard);
  // An invalid path counts as existing, because its entry was meant to list something.
  const someExist = () => named.length < given.length || named.some((place) => mayBeThere(nodeFileSystem, place));
  const isReplaced = entry !== undefined && !named.includes(directory) && someExist();
  const isSkill = given.length === 0 && !isThere && mayBeThere(nodeFileSystem, join(directory, 'SKILL.md'));
  const places = [...(isThere && !isReplaced ? [standard] : []), ...named, ...(isSkill ? [directory] : [])];
  return { name, places: [...new Set(places)], diagnostics };
}

/** A JSON file of a plugin. Without `fields`, there is none; with a `problem`, there are no fields in it. */
interface PluginFile {
  readonly site: DiagnosticSite;
  readonly fields?: JsonObject | undefined;
  readonly problem?: string;
}

function readFields(directory: string, file: string, source: string): PluginFile {
  const site = { source, location: join(directory, '.claude-plugin', file) };
  const fields = readObject(directory, ['.claude-plugin', file]);
  return typeof fields === 'string' ? { site, fields: {}, problem: `the file ${fields}` } : { site, fields };
}

/** Finds the plugin with a name among those of a marketplace, if its directory is that of the marketplace. */
function entryOf(plugins: unknown, name: string): JsonObject | undefined {
  return [plugins]
    .flat()
    .map(recordOf)
    .find(({ name: own, source }) => {
      // Claude Code replaces other characters in the name of the directory.
      const isNamed = own === name || (typeof own === 'string' && own.replace(/[^\w-]/g, '-') === name);
      return isNamed && (source === '.' || source === './');
    });
}

/** Returns the paths that a manifest or an entry names, valid or not. */
function pathsIn({ fields }: PluginFile): readonly unknown[] {
  return [fields?.['skills'] ?? []].flat();
}

function reportIgnored(directory: string, file: PluginFile): readonly Diagnostic[] {
  const reasons = pathsIn(file)
    .filter((path) => !isPathIn(directory, path))
    .map(explainPath);
  return [...(file.problem === undefined ? [] : [file.problem]), ...reasons].map((reason) =>
    createDiagnostic('plugin-field-ignored', file.site, { field: 'skills', reason }),
  );
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
