// Functions that the layers share, so that all of them treat names, changes and callbacks in the same way.

import { readEntryHead, shareHead } from '../format/entry.ts';
import { findGivenProblem, normalizeName } from '../format/properties/name.ts';
import { createTurn } from '../runtime/turns.ts';
import { assertSources } from '../skill/assert-sources.ts';
import { reasonOf, SkillError } from '../skill/error.ts';
import { isUnchanged, keyOf } from '../skill/listing.ts';
import { directoryNameOf } from '../skill/paths.ts';
import type { KnownEntry, ListOptions, SkillEntry, SkillListing, SkillSource } from '../skill/source.ts';

/** Creates a source that differs from another one only in its listing. */
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

/** Returns a `watch` for a layer if all its sources have one; `before` runs before each callback. */
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

/** Calls a callback of the application; if it fails, the source fails. */
export function callHost<T>(layer: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new SkillError('source-failed', `The callback of \`${layer}\` failed: ${reasonOf(error)}`, { cause: error });
  }
}

/** Returns what the next listing must know about an entry. */
export function toKnown({ stamp, identity, plainSince, ownName }: SkillEntry): KnownEntry {
  return { stamp, identity, plainSince, ownName };
}

/**
 * Calls a function for each entry of a listing, in turns, with its name so far: the one from a layer below, or else the skill's
 * own name, which is stored in the entry.
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
    const given = normalizeName(entry.name ?? '');
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
  const { name } = await readEntryHead(source, entry, options);
  return name ?? directoryNameOf(entry);
}
