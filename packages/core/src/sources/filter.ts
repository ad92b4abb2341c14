// A layer that leaves skills out.

import { kindOf } from '../runtime/record.ts';
import { SkillError } from '../skill/error.ts';
import { keyOf, listSource } from '../skill/listing.ts';
import { checkFunction } from '../skill/options.ts';
import type { SkillDirectory, SkillEntry, SkillSource } from '../skill/source.ts';
import { callHost, deriveSource, forEachNamed, toKnown } from './layer.ts';

/** A skill that a filter decides about; only its head was read. */
export interface FilterCandidate extends SkillDirectory {
  /** The name that the skill would have in a catalog: from the frontmatter, or else from its directory. */
  readonly name: string;
}

/**
 * Creates a source without the skills for which `keep` returns `false`; no catalog contains them. If `keep` throws or returns
 * anything but a boolean, the listing rejects with `source-failed`.
 *
 * @throws {SkillError} `options-invalid` if `keep` is not a function
 */
export function filterSource(source: SkillSource, keep: (skill: FilterCandidate) => boolean): SkillSource {
  checkFunction('keep', keep);
  function isKept(skill: FilterCandidate): boolean {
    const answer: unknown = callHost('filterSource', () => keep(skill));
    if (typeof answer === 'boolean') return answer;
    const message = `The callback of \`filterSource\` returned ${kindOf(answer)}, expected a boolean`;
    throw new SkillError('source-failed', message);
  }

  return deriveSource(source, async (options) => {
    const listing = await listSource(source, options);
    const entries: SkillEntry[] = [];
    const omitted = new Map(listing.omitted);
    await forEachNamed(source, listing, options, (entry, name) => {
      if (isKept({ ...entry, name })) entries.push(entry);
      else omitted.set(keyOf(entry), toKnown(entry));
    });
    return { ...listing, entries, omitted };
  });
}
