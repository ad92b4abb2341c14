// Sources made of sources: what a host changes about skills that somebody else keeps.

import { SkillError } from './error.ts';
import { lastSegment } from './last-segment.ts';
import { maxFrontmatterBytes } from './limits.ts';
import { parseSkillHead } from './parse.ts';
import type { SkillDirectory, SkillEntry, SkillListing, SkillSource, SourceOptions } from './source.ts';

/** What a filter is asked about: a skill before anything but its head was read. */
export interface FilterCandidate extends SkillDirectory {
  /** The name that the skill would have in a catalog; that of its directory where the frontmatter gives none. */
  readonly name: string;
}

/** Creates a source that leaves out what `keep` refuses. What is left out is not in the catalog at all. */
export function filterSource(source: SkillSource, keep: (skill: FilterCandidate) => boolean): SkillSource {
  return derive(source, async (options) => {
    const { entries, diagnostics } = await source.list(options);
    const kept: SkillEntry[] = [];
    for (const entry of entries) {
      if (keep({ ...entry, name: await readName(source, entry, options) })) kept.push(entry);
    }
    return { entries: kept, diagnostics };
  });
}

/** Creates a source whose skills have the names that `rename` gives them; nothing else about them changes. */
export function renameSource(source: SkillSource, rename: (name: string) => string): SkillSource {
  return derive(source, async (options) => {
    const { entries, diagnostics } = await source.list(options);
    const renamed: SkillEntry[] = [];
    for (const entry of entries) {
      renamed.push({ ...entry, name: rename(await readName(source, entry, options)) });
    }
    return { entries: renamed, diagnostics };
  });
}

/** Creates a source whose names start with a prefix, such as `acme/`, so that they cannot collide with others. */
export function prefixSource(source: SkillSource, prefix: string): SkillSource {
  return renameSource(source, (name) => prefix + name);
}

/**
 * Creates one source from several, the first of which wins: it replaces a whole skill of the others whose directory has
 * the same name. Identity, level and trust are those of the first; it takes all of them to be trusted.
 *
 * @throws {SkillError} `options-invalid` without a source
 */
export function overlaySource(...sources: readonly SkillSource[]): SkillSource {
  const [first] = sources;
  if (first === undefined) throw new SkillError('options-invalid', '`overlaySource` was given no source.');
  const origins = new Map<string, SkillSource>();

  function originOf(skill: SkillDirectory): SkillSource {
    const origin = origins.get(skill.directory);
    if (origin !== undefined) return origin;
    throw new SkillError(
      'skill-unknown',
      'The skill was not found by this source. Pass an entry that its `list` returned.',
    );
  }

  return {
    id: first.id,
    scope: first.scope,
    trusted: sources.every(({ trusted }) => trusted),
    async list(options) {
      const listings = await Promise.all(sources.map((source) => source.list(options)));
      const found = new Map<string, { readonly entry: SkillEntry; readonly source: SkillSource }>();
      for (const [index, { entries }] of listings.entries()) {
        for (const entry of entries) {
          const key = lastSegment(entry.directory);
          const source = sources[index];
          if (source !== undefined && !found.has(key)) found.set(key, { entry, source });
        }
      }
      origins.clear();
      for (const { entry, source } of found.values()) origins.set(entry.directory, source);
      const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
      return {
        entries: sorted.map(([, { entry }]) => entry),
        diagnostics: listings.flatMap(({ diagnostics }) => diagnostics),
      };
    },
    listFiles: async (skill, options) => originOf(skill).listFiles(skill, options),
    readFile: async (skill, path, options) => originOf(skill).readFile(skill, path, options),
  };
}

/** Makes a layer whose `list` needs the heads, so it never asks for the known entries to be passed over. */
function derive(source: SkillSource, list: (options: SourceOptions) => Promise<SkillListing>): SkillSource {
  return {
    id: source.id,
    scope: source.scope,
    trusted: source.trusted,
    list: ({ signal } = {}) => list({ signal }),
    listFiles: (skill, options) => source.listFiles(skill, options),
    readFile: (skill, path, options) => source.readFile(skill, path, options),
  };
}

/** Reads the name from the head; the rare frontmatter that is longer than the head is read as far as it may go. */
async function readName(source: SkillSource, entry: SkillEntry, options: SourceOptions): Promise<string> {
  if (entry.name !== undefined) return entry.name;
  const directoryName = lastSegment(entry.directory);
  const complete = entry.head.length >= entry.bytes;
  const head = parseSkillHead(entry.head, { complete, directoryName });
  if (!head.needsMore) return head.properties?.name ?? directoryName;
  const longer = await source.readFile(entry, 'SKILL.md', { ...options, length: maxFrontmatterBytes + 1024 });
  return parseSkillHead(longer, { complete: true, directoryName }).properties?.name ?? directoryName;
}
