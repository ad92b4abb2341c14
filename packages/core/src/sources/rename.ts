// A layer that gives skills other names.

import { listSource } from '../skill/listing.ts';
import { checkFunction } from '../skill/options.ts';
import type { SkillEntry, SkillSource } from '../skill/source.ts';
import { callHost, deriveSource, forEachNamed } from './layer.ts';

/**
 * Creates a source whose skills have the names that `rename` returns, such as `acme/` before the old name; nothing else changes.
 * If a name is empty, too long, could leave a directory or could deceive, the skill keeps its own name, with the diagnostic
 * `name-given-refused`. If `rename` throws, the listing rejects with `source-failed`.
 *
 * @throws {SkillError} `options-invalid` if `rename` is not a function
 */
export function renameSource(source: SkillSource, rename: (name: string) => string): SkillSource {
  checkFunction('rename', rename);
  return deriveSource(source, async (options) => {
    const listing = await listSource(source, options);
    const entries: SkillEntry[] = [];
    await forEachNamed(source, listing, options, (entry, name) => {
      const given: unknown = callHost('renameSource', () => rename(name));
      entries.push({ ...entry, name: typeof given === 'string' ? given : '' });
    });
    return { ...listing, entries };
  });
}
