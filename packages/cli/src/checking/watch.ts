// Notices when skills that a command checks have changed. Looks at them again and again, as `watchCatalog` does.

import { setTimeout as pause } from 'node:timers/promises';
import type { SkillProfile, SkillSource } from '@skillful/core';
import type { CommandLine } from '../command-line.ts';
import { resolvePath, workingDirectory } from '../loading/sources.ts';
import { sourceAt } from './check.ts';
import type { CheckOptions } from './check-all.ts';

/** Milliseconds between two looks; longer if needed, so that looking takes at most about 5% of the time. */
const interval = 500;

/** Yields at once, and then whenever a `SKILL.md` was added, changed or removed, until the signal aborts. */
export async function* changesOf({ paths, profile, cwd }: CheckOptions, io: CommandLine): AsyncGenerator<void> {
  const directory = workingDirectory({ cwd }, io);
  const sources = paths.map((path) => sourceAt(resolvePath(path, directory, io), path));
  for (let before = ''; io.signal?.aborted !== true; ) {
    const start = performance.now();
    const now = await stampsOf(sources, profile);
    const spent = performance.now() - start;
    if (now !== before) yield;
    before = now;
    await pause(Math.max(interval, spent * 20));
  }
}

/** Returns a text that changes whenever a `SKILL.md` does. */
async function stampsOf(sources: readonly SkillSource[], profile: SkillProfile): Promise<string> {
  const listings = await Promise.all(sources.map((source) => source.list({ profile })));
  const stamps = listings.map(({ entries, diagnostics }) => [
    entries.map(({ location, stamp }) => [location, stamp]),
    diagnostics,
  ]);
  return JSON.stringify(stamps);
}
