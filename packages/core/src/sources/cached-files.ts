// Caches what a slow source returns about single skills: their files, and the lists of these.

import { isBytes } from '../runtime/record.ts';
import { isSkillError } from '../skill/error.ts';
import { checkCounts } from '../skill/options.ts';
import type { SkillDirectory, SkillFileListing, SkillSource } from '../skill/source.ts';

/** Reads files as the source does. */
export interface CachedFiles extends Pick<SkillSource, 'listFiles' | 'readFile'> {
  /** Makes everything old that is kept, or that is being read now. */
  expire(): void;
}

type Answer = Uint8Array | SkillFileListing;

interface Kept {
  readonly answer: Answer;
  readonly bytes: number;
  readonly until: number;
  /** How often everything had become old when the source was asked. */
  readonly round: number;
}

/**
 * Creates a cache up to a number of bytes; the least recently used answers are dropped first. If the source fails, an old answer is
 * valid for the same time again.
 */
export function createCachedFiles(
  source: SkillSource,
  { maxBytes, maxAge }: { readonly maxBytes: number; readonly maxAge: number },
): CachedFiles {
  // A `Map` iterates in insertion order, so its first answer is the one that was not used for the longest time.
  const kept = new Map<string, Kept>();
  let total = 0;
  let rounds = 0;

  function put(key: string, value: Kept): void {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
    if (value.bytes > maxBytes) return;
    kept.set(key, value);
    total += value.bytes;
    for (const [oldest, { bytes }] of kept) {
      if (total <= maxBytes) break;
      total -= bytes;
      kept.delete(oldest);
    }
  }

  /** Returns an answer that is kept and that the caller can use, or asks the source. */
  async function answerFor<One extends Answer>(
    key: string,
    ask: () => Promise<One>,
    isUsable: (answer: One) => boolean = () => true,
  ): Promise<One> {
    const known = kept.get(key);
    const answer = known?.answer as One | undefined;
    const before = known !== undefined && answer !== undefined && isUsable(answer) ? { ...known, answer } : undefined;
    if (before !== undefined && before.round === rounds && performance.now() < before.until) {
      put(key, before);
      return copy(before.answer);
    }
    const round = rounds;
    const validUntil = () => performance.now() + maxAge;
    let now: One;
    try {
      now = await ask();
    } catch (error) {
      if (before === undefined || !isFailure(error)) throw error;
      // For the same time again, because a source that does not answer lets each caller wait.
      put(key, { ...before, until: validUntil(), round });
      return copy(before.answer);
    }
    // Anyone can write a source, so an answer may be anything.
    const bytes = isBytes(now) ? now.length : sizeOf(Object(now).files);
    if (bytes !== undefined) put(key, { answer: copy(now), bytes, until: validUntil(), round });
    return now;
  }

  return {
    expire() {
      rounds += 1;
    },
    async listFiles(skill, options = {}) {
      options.signal?.throwIfAborted();
      // What is kept was not checked by this `checkPath`.
      if (options.checkPath !== undefined) return source.listFiles(skill, options);
      return answerFor(keyOf(skill), () => source.listFiles(skill, options));
    },
    async readFile(skill, path, options = {}) {
      const { signal, checkPath, maxBytes: wanted = Number.POSITIVE_INFINITY } = options;
      signal?.throwIfAborted();
      if (checkPath !== undefined) return source.readFile(skill, path, options);
      checkCounts({ length: options.length });
      const { length = null, fromListing = false, directories } = options;
      const key = keyOf(skill, path, length, fromListing, directories);
      return answerFor(
        key,
        () => source.readFile(skill, path, options),
        (content) => content.length <= wanted,
      );
    },
  };
}

function keyOf(skill: SkillDirectory, ...wanted: readonly unknown[]): string {
  const { identity = skill.directory, inode, origin, profile = 'lenient' } = skill;
  return JSON.stringify([identity, inode, origin, profile, ...wanted]);
}

function copy<One extends Answer>(answer: One): One {
  return (isBytes(answer) ? new Uint8Array(answer) : { ...answer, files: [...answer.files] }) as One;
}

/** Returns about how many bytes a list takes; undefined if it is none. */
function sizeOf(files: unknown): number | undefined {
  if (!Array.isArray(files)) return undefined;
  return files.reduce((sum: number, file) => sum + String(Object(file).path).length + 16, 0);
}

/** Checks whether a source failed, instead of answering, for example, that there is no such file. */
function isFailure(error: unknown): boolean {
  return !isSkillError(error) || error.code === 'resource-unreadable' || error.code === 'source-failed';
}
