// A source over directories that each bring a `skills` directory of their own: plugins and packages.

import { join } from 'node:path';
import type { SkillListing, SkillSource } from '../source.ts';
import { outlastExhaustion } from './exhaustion.ts';
import { nodeFileSystem } from './file-system.ts';
import { canonicalPath } from './project.ts';
import { scanRoot } from './scan.ts';
import { listSkillFiles, readSkillFile } from './skill-files.ts';

/**
 * Creates a source that searches `skills` in each bundle exactly one level deep; a link that leaves its bundle is a
 * diagnostic. The bundles are found anew at each listing, and stay in the order in which they were found.
 */
export function createBundleSource(
  options: Pick<SkillSource, 'id' | 'scope' | 'trusted'>,
  findBundles: () => readonly string[],
): SkillSource {
  const { id, scope, trusted } = options;
  return {
    id,
    scope,
    trusted,
    async list({ signal, known } = {}) {
      const listings: SkillListing[] = [];
      for (const bundle of await outlastExhaustion(findBundles, signal)) {
        listings.push(
          await scanRoot(nodeFileSystem, join(bundle, 'skills'), {
            source: id,
            depth: 1,
            followSymlinks: false,
            boundary: canonicalPath(bundle),
            maxDirectories: 2000,
            maxEntries: 10_000,
            skillsChild: false,
            hidden: false,
            known,
            signal,
          }),
        );
      }
      return {
        entries: listings.flatMap(({ entries }) => entries),
        diagnostics: listings.flatMap(({ diagnostics }) => diagnostics),
      };
    },
    listFiles: (skill, { signal } = {}) => listSkillFiles(nodeFileSystem, skill, signal),
    readFile: (skill, file, readOptions = {}) => readSkillFile(nodeFileSystem, skill, file, readOptions),
  };
}
