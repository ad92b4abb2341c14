// What the layers share: the names of the skills below them, and calls of the application's functions.

import { readEntryHead, shareHead } from '../format/entry.ts';
import { findGivenProblem, normalizeName } from '../format/properties/name.ts';
import { createTurn } from '../runtime/turns.ts';
import { assertSources } from '../skill/assert-sources.ts';
import { reasonOf, SkillError } from '../skill/error.ts';
import { isUnchanged, keyOf } from '../skill/listing.ts';
import { lastSegment } from '../skill/paths.ts';
import type { KnownEntry, ListOptions, SkillEntry, SkillListing, SkillSource } from '../skill/source.ts';

/** Creates a source that differs from another one only in what it lists. */
export function deriveSource(source: SkillSource, list: (options: ListOptions) => Promise<SkillListing>): SkillSource {
  assertSources([source]);
  const { id, scope, trusted, root, project, searched } = source;
  return {
    ...{ id, scope, trusted, root, project, searched },
    ...watchOf([source]),
    list: (options = {}) => list(options),
    listFiles: (skill, options) => source.listFiles(skill, options),
    readFile: (skill, path, options) => source.readFile(skill, path, options),
  };
}

/** Reports the changes of a layer's sources, if all of them report their own; `before` runs before each callback. */
export function watchOf(sources: readonly SkillSource[], before: () => void = () => {}): Pick<SkillSource, 'watch'> {
  if (!sources.every(({ watch }) => watch !== undefined)) return {};
  return {
    watch(onChange, signal) {
      for (const source of sources) {
        source.watch?.(() => {
          before();
          onChange();
        }, signal);
      }
    },
  };
}

/** Calls a function of the application, whose failure is a failure of the source. */
export function callHost<T>(layer: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new SkillError('source-failed', `The callback of \`${layer}\` failed: ${reasonOf(error)}`, { cause: error });
  }
}

/** Returns what the next listing has to know about an entry. */
export function toKnown({ stamp, identity, plainSince, ownName }: SkillEntry): KnownEntry {
  return { stamp, identity, plainSince, ownName };
}

/**
 * Passes on each entry of a listing, in turns, with the name that it has in a catalog so far: the one that a layer below gives, or
 * the skill's own, which is noted in the entry.
 */
export async function forEachNamed(
  source: SkillSource,
  { entries }: SkillListing,
  options: ListOptions,
  take: (entry: SkillEntry, name: string) => void,
): Promise<void> {
  const turn = createTurn();
  for (const entry of entries) {
    await turn(options.signal);
    const given = typeof entry.name === 'string' ? normalizeName(entry.name) : '';
    if (findGivenProblem(given) === undefined) take(entry, given);
    else {
      const ownName = entry.ownName ?? (await readOwnName(source, entry, options));
      take({ ...entry, ownName }, ownName);
    }
  }
}

async function readOwnName(source: SkillSource, entry: SkillEntry, options: ListOptions): Promise<string> {
  const before = options.known?.get(keyOf(entry));
  if (before?.ownName !== undefined && isUnchanged(entry, before)) return before.ownName;
  shareHead(entry);
  const { properties } = await readEntryHead(source, entry, options);
  return properties?.name ?? lastSegment(entry.directory);
}
