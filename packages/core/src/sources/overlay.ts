// A layer that combines sources, such that the skills of the first hide those of the others.

import { assertSources } from '../skill/assert-sources.ts';
import { keyOf, listSource, unlistedSkill } from '../skill/listing.ts';
import { invalidOption } from '../skill/options.ts';
import { directoryNameOf } from '../skill/paths.ts';
import type { KnownEntry, ListOptions, SkillDirectory, SkillEntry, SkillSource } from '../skill/source.ts';
import { toKnown, watchOf } from './layer.ts';

/**
 * Creates one source from several. A skill of the first source hides every skill of the others in a directory of the same name.
 * If only their names are the same, the first source wins, as among the sources of a catalog. The overlay has the id and the project
 * of the first source, and its scope, or `remote` if any source has that scope, because policies ask about such skills. It is
 * trusted only if all sources are.
 *
 * @throws {SkillError} `options-invalid` without a source
 */
export function overlaySource(...sources: readonly SkillSource[]): SkillSource {
  const [first] = sources;
  if (first === undefined) throw invalidOption('`overlaySource` needs at least one source.');

  assertSources(sources);

  /** Finds the source of an entry, and returns the entry as that source knows it. */
  function follow(skill: SkillDirectory): { readonly source: SkillSource; readonly skill: SkillDirectory } {
    const [, index, inner] = /^(\d+):(.*)$/s.exec(skill.origin ?? '') ?? [];
    const source = index === undefined ? undefined : sources[Number(index)];
    if (source !== undefined) return { source, skill: { ...skill, origin: inner === '' ? undefined : inner } };
    throw unlistedSkill();
  }

  return {
    id: first.id,
    project: first.project,
    scope: sources.some(({ scope }) => scope === 'remote') ? 'remote' : first.scope,
    // Compared with `true`, as in `loadCatalog`.
    trusted: sources.every(({ trusted }) => trusted === true),
    ...watchOf(sources),
    async list(options = {}) {
      const listings = await Promise.all(
        sources.map((source, index) => listSource(source, { ...options, known: knownOf(index, options) })),
      );
      const holders = new Map<string, number>();
      const entries: SkillEntry[] = [];
      const omitted = new Map<string, KnownEntry>();
      for (const [index, listing] of listings.entries()) {
        for (const [key, known] of listing.omitted ?? []) omitted.set(`${index}:${key}`, known);
        for (const listed of listing.entries) {
          const key = directoryNameOf(listed);
          const entry = { ...listed, origin: `${index}:${listed.origin ?? ''}` };
          const holder = holders.get(key) ?? index;
          holders.set(key, holder);
          if (holder === index) entries.push(entry);
          else omitted.set(keyOf(entry), toKnown(entry));
        }
      }
      // The entries of the first source come first, so that its skills also win name clashes within the overlay.
      return { entries, diagnostics: listings.flatMap(({ diagnostics }) => diagnostics), omitted };
    },
    async listFiles(given, options) {
      const { source, skill } = follow(given);
      return source.listFiles(skill, options);
    },
    async readFile(given, path, options) {
      const { source, skill } = follow(given);
      return source.readFile(skill, path, options);
    },
  };
}

/** Selects the known entries of one source, by the keys that this source uses. */
function knownOf(index: number, { known = new Map() }: ListOptions): ReadonlyMap<string, KnownEntry> {
  const prefix = `${index}:`;
  const own = new Map<string, KnownEntry>();
  for (const [key, entry] of known) if (key.startsWith(prefix)) own.set(key.slice(prefix.length), entry);
  return own;
}
