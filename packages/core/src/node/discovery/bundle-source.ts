// A source of bundles: plugins or packages, each with its own skills.

import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { createTurn } from '../../runtime/turns.ts';
import type { ListOptions, SkillListing, SkillSource } from '../../skill/source.ts';
import { waitForDescriptors } from '../disk/descriptors.ts';
import { mayBeThere, nodeFileSystem } from '../disk/file-system.ts';
import { canonicalPath } from '../environment/project.ts';
import { listSkillFiles } from './list-files.ts';
import { readSkillFile } from './read-file.ts';
import { scanRoot } from './scan.ts';

/** A directory with skills. */
export interface Bundle {
  readonly directory: string;
  /** Name of the plugin or package. */
  readonly plugin: string;
  /**
   * Directories in it that are skills or contain skills, by absolute paths.
   * @default its `skills`
   */
  readonly places?: readonly string[] | undefined;
  /** The cache that contains it. */
  readonly cache?: string | undefined;
  /** Whether its skills must pass the strict profile. Such a bundle may be without skills. */
  readonly strict?: boolean;
}

/** The bundles in one place, and diagnostics about it. */
export interface FoundBundles {
  readonly bundles: readonly Bundle[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Creates a source that searches `skills` in each bundle, or the places that it names, exactly one level deep. A link that leaves
 * its bundle gets a diagnostic. Each listing finds the bundles again and keeps their order.
 */
export function createBundleSource(
  given: Pick<SkillSource, 'id' | 'scope' | 'trusted' | 'searched'>,
  findBundles: () => readonly FoundBundles[],
): SkillSource {
  return {
    ...given,
    async list(listOptions = {}) {
      listOptions.signal?.throwIfAborted();
      const found = await waitForDescriptors(findBundles, listOptions.signal);
      const turn = createTurn();
      const listings: SkillListing[] = [];
      for (const bundle of found.flatMap(({ bundles }) => bundles)) {
        for (const place of bundle.places ?? [join(bundle.directory, 'skills')]) {
          await turn(listOptions.signal);
          listings.push(await listPlace(bundle, place, given.id, listOptions));
        }
      }
      const entries = listings.flatMap((listing) => listing.entries);
      return {
        // Two places may overlap.
        entries: [...new Map(entries.map((entry) => [entry.directory, entry])).values()],
        diagnostics: withFirstUnsafe([...found, ...listings].flatMap(({ diagnostics }) => diagnostics)),
      };
    },
    listFiles: (skill, listOptions = {}) => listSkillFiles(nodeFileSystem, skill, listOptions),
    readFile(skill, file, readOptions = {}) {
      // A skill at the top of a plugin contains the other skills of the plugin.
      const isOuter = mayBeThere(nodeFileSystem, join(skill.directory, '.claude-plugin'));
      return readSkillFile(nodeFileSystem, skill, file, readOptions, isOuter);
    },
  };
}

/** Keeps the first diagnostic of a directory that others can change, because usually all belong to the same user. */
function withFirstUnsafe(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const first = diagnostics.find(({ code }) => code === 'root-unsafe');
  return diagnostics.filter((each) => each === first || each.code !== 'root-unsafe');
}

/** Lists the skills in a directory of a bundle. A directory that the bundle names may be a skill itself. */
async function listPlace(bundle: Bundle, place: string, source: string, options: ListOptions): Promise<SkillListing> {
  const { known, signal, profile = 'lenient' } = options;
  const { directory, plugin, cache, strict = false } = bundle;
  const boundary = canonicalPath(directory);
  const isSkill = place !== join(directory, 'skills') && mayBeThere(nodeFileSystem, join(place, 'SKILL.md'));
  const { entries, diagnostics } = await scanRoot(nodeFileSystem, place, {
    source,
    depth: isSkill ? 0 : 1,
    followSymlinks: false,
    followFileLinks: true,
    boundary,
    maxDirectories: 2000,
    maxEntries: 10_000,
    skillsChild: false,
    hidden: strict,
    rootSkill: isSkill,
    safeUpTo: cache === undefined ? boundary : canonicalPath(cache),
    allowUnsafe: profile === 'lenient',
    ...(strict ? {} : { known }),
    profile: strict && profile === 'lenient' ? 'strict' : profile,
    signal,
  });
  const named = entries.map((entry) => ({
    ...entry,
    plugin,
    // A cache names the directory of a plugin after its version.
    ...(cache !== undefined && entry.directory === directory && { directoryName: plugin }),
  }));
  if (!strict) return { entries: named, diagnostics };
  return {
    // Without a stamp, a skill is read each time, because its profile depends on a file of its plugin.
    entries: named.map(({ stamp: _, ...entry }) => ({ ...entry, profile: 'strict' })),
    diagnostics: diagnostics.filter(({ code }) => code !== 'root-missing'),
  };
}
