// A source of skills in memory, for tests, edge runtimes and generated skills.

import { createDiagnostic } from '../diagnostics/diagnostic.ts';
import { getOrCreate } from '../runtime/get-or-create.ts';
import { isBuffer, isBytes, kindOf } from '../runtime/record.ts';
import { SkillError } from '../skill/error.ts';
import { checkKeys, checkRecord, invalidOption } from '../skill/options.ts';
import { lastSegment } from '../skill/paths.ts';
import type { SkillDirectory, SkillListing, SkillScope, SkillSource } from '../skill/source.ts';
import { cutFile, lookUpPath, splitPaths } from './given-file.ts';

export interface MemorySourceOptions {
  /** @default 'memory' */
  readonly id?: string | undefined;
  /** @default 'builtin' */
  readonly scope?: SkillScope | undefined;
  /** @default true */
  readonly trusted?: boolean | undefined;
}

/**
 * Creates a source from files in memory, keyed by path: `pdf/SKILL.md`, `pdf/references/forms.md`.
 *
 * The files are copied, so later changes of the record have no effect.
 *
 * @throws {SkillError} `options-invalid` if a file is neither text nor bytes, or an option is unknown
 */
export function memorySource(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: MemorySourceOptions = {},
): SkillSource {
  checkKeys('options', options, ['id', 'scope', 'trusted']);
  checkRecord('files', files);
  const { id = 'memory', scope = 'builtin', trusted = true } = options;
  const skills = groupBySkill(files);

  function filesOf(skill: SkillDirectory): ReadonlyMap<string, Uint8Array> {
    const found = skills.get(skill.directory);
    if (found === undefined)
      throw new SkillError('skill-unknown', `The source \`${id}\` has no skill \`${skill.directory}\`.`);
    return found;
  }

  const entries = [...skills].map(([directory, own]) => {
    const head = own.get('SKILL.md') ?? new Uint8Array();
    const sidecar = own.get('agents/openai.yaml');
    return {
      directory,
      location: `${directory}/SKILL.md`,
      head,
      bytes: head.length,
      hasFiles: own.size > 1,
      ...(sidecar === undefined ? {} : { sidecar }),
    };
  });
  const misplaced = findMisplaced(Object.keys(files), skills).map((location) => {
    const site = { source: id, location };
    return location.includes('/')
      ? createDiagnostic('skill-file-case', site, { file: lastSegment(location) })
      : createDiagnostic('skill-directory-missing', site, { file: location });
  });
  const twins = [...skills].flatMap(([directory, own]) => {
    const site = { source: id, location: `${directory}/SKILL.md` };
    const names = [...own.keys()].filter((file) => /^skill\.md$/i.test(file) && file !== 'SKILL.md');
    return names.map((file) => createDiagnostic('skill-file-twin', site, { file }));
  });
  // The same object each time, by which a catalog knows that nothing has changed.
  const listing: SkillListing = { entries, diagnostics: [...misplaced, ...twins] };
  return {
    id,
    scope,
    trusted,
    async list({ signal } = {}) {
      signal?.throwIfAborted();
      return listing;
    },
    async listFiles(skill, { signal } = {}) {
      signal?.throwIfAborted();
      const own = filesOf(skill);
      const { bundled, refused } = splitPaths([...own.keys()]);
      const files = bundled.map((path) => ({ path, bytes: own.get(path)?.length ?? 0 }));
      return { files, truncated: false, ...(refused.length === 0 ? {} : { refused }) };
    },
    async readFile(skill, path, options = {}) {
      options.signal?.throwIfAborted();
      return cutFile(filesOf(skill).get(lookUpPath(path, options)), path, options);
    },
  };
}

/** Groups files by the outermost directory with a `SKILL.md`; files that belong to no skill are left out. */
function groupBySkill(
  files: Readonly<Record<string, string | Uint8Array>>,
): ReadonlyMap<string, ReadonlyMap<string, Uint8Array>> {
  const paths = Object.keys(files).sort();
  const directories = new Set(paths.filter((path) => path.endsWith('/SKILL.md')).map((path) => path.slice(0, -9)));
  const skills = new Map<string, Map<string, Uint8Array>>();
  for (const path of paths) {
    const bytes = copyContent(path, files[path]);
    const directory = outermostAncestor(path, directories);
    if (directory === undefined) continue;
    const own = getOrCreate(skills, directory, () => new Map<string, Uint8Array>());
    own.set(path.slice(directory.length + 1), bytes);
  }
  return skills;
}

function copyContent(path: string, content: unknown): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  if (isBytes(content) || isBuffer(content)) return new Uint8Array(content);
  throw invalidOption(`The content of \`${path}\` is ${kindOf(content)}, expected text or a Uint8Array.`);
}

/**
 * Finds files that would be a skill if they were called `SKILL.md` or were in a directory. Windows separates names with a
 * backslash, and some stores with a colon.
 */
function findMisplaced(paths: readonly string[], skills: ReadonlyMap<string, unknown>): readonly string[] {
  return paths
    .filter((path) => /(?:^|[/\\:])skill\.md(?:\.txt)?$/i.test(path) && outermostAncestor(path, skills) === undefined)
    .sort();
}

function outermostAncestor(path: string, directories: { has(directory: string): boolean }): string | undefined {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const ancestor = path.slice(0, slash);
    if (directories.has(ancestor)) return ancestor;
  }
  return undefined;
}
