// Caches the files of skills and their file lists, because a source may be slow.

import { isBytes } from '../runtime/record.ts';
import { getSafely, isSkillError } from '../skill/error.ts';
import { checkCounts } from '../skill/options.ts';
import type { SkillDirectory, SkillFileListing, SkillSource } from '../skill/source.ts';

/** Lists and reads files like the source, from the cache if possible. */
export interface CachedFiles extends Pick<SkillSource, 'listFiles' | 'readFile'> {
  /** Expires every cached answer, and those still being read. */
  expire(): void;
}

type Answer = Uint8Array | SkillFileListing;

interface Cached {
  readonly answer: Answer;
  readonly bytes: number;
  readonly until: number;
  /** How many times the cache had expired when the source was asked. */
  readonly expirations: number;
}

/** A request for an answer. */
interface Wanted<One extends Answer> {
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  ask(): Promise<One>;
  /** Checks whether a cached answer will do. */
  suits(answer: One): boolean;
}

/**
 * Creates a cache of at most `maxBytes`. The least recently used answers are dropped first. If the source fails, an old answer is
 * valid for another `maxAge`.
 */
export function createCachedFiles(
  source: SkillSource,
  { maxBytes, maxAge }: { readonly maxBytes: number; readonly maxAge: number },
): CachedFiles {
  // A `Map` iterates in insertion order, so its first answer is the least recently used one.
  const cached = new Map<string, Cached>();
  let total = 0;
  let expirations = 0;

  function drop(key: string): void {
    total -= cached.get(key)?.bytes ?? 0;
    cached.delete(key);
  }

  function put(key: string, entry: Cached): void {
    drop(key);
    if (entry.bytes > maxBytes) return;
    cached.set(key, entry);
    total += entry.bytes;
    for (const oldest of cached.keys()) {
      if (total <= maxBytes) break;
      drop(oldest);
    }
  }

  /** Returns a cached answer if the caller can use it; otherwise asks the source. */
  async function answerTo<One extends Answer>({ key, signal, ask, suits }: Wanted<One>): Promise<One> {
    const old = cached.get(key);
    const suiting = old !== undefined && suits(old.answer as One) ? old : undefined;
    if (suiting !== undefined && suiting.expirations === expirations && performance.now() < suiting.until) {
      put(key, suiting);
      return copy(suiting.answer as One);
    }
    const began = expirations;
    // Another caller may have got a newer answer meanwhile.
    const isNewest = () => cached.get(key) === old;
    const renewed = () => ({ until: performance.now() + maxAge, expirations: began });
    try {
      const fresh = await ask();
      // Anyone can write a source, so an answer may be anything.
      const bytes = isBytes(fresh) ? fresh.length : sizeOf(Object(fresh).files);
      if (bytes !== undefined && isNewest()) put(key, { answer: copy(fresh), bytes: bytes + key.length, ...renewed() });
      return fresh;
    } catch (error) {
      signal?.throwIfAborted();
      const hasFailed = isFailure(error);
      if (!hasFailed && isNewest()) drop(key);
      if (!hasFailed || suiting === undefined) throw error;
      // Otherwise each caller would wait for a source that does not answer.
      if (isNewest()) put(key, { ...suiting, ...renewed() });
      return copy(suiting.answer as One);
    }
  }

  return {
    expire() {
      expirations += 1;
    },
    async listFiles(skill, options = {}) {
      const { signal, checkPath } = options;
      signal?.throwIfAborted();
      // A cached answer was not checked by this `checkPath`.
      if (checkPath !== undefined) return source.listFiles(skill, options);
      const ask = () => source.listFiles(skill, options);
      return answerTo({ key: keyOf(skill), signal, ask, suits: () => true });
    },
    async readFile(skill, path, options = {}) {
      const { signal, checkPath, directories, maxBytes: most = Number.POSITIVE_INFINITY } = options;
      signal?.throwIfAborted();
      if (checkPath !== undefined) return source.readFile(skill, path, options);
      checkCounts({ length: options.length });
      const { length = null, fromListing = false } = options;
      const key = keyOf(skill, path, length, fromListing, directories);
      const ask = () => source.readFile(skill, path, options);
      return answerTo({ key, signal, ask, suits: (content: Uint8Array) => content.length <= most });
    },
  };
}

function keyOf(skill: SkillDirectory, ...wanted: readonly unknown[]): string {
  const { identity = skill.directory, inode, origin, profile = 'lenient' } = skill;
  return JSON.stringify([identity, inode, origin, profile, ...wanted]);
}

function copy<One extends Answer>(answer: One): One {
  if (isBytes(answer)) return new Uint8Array(answer) as One;
  return { ...answer, files: answer.files.map((file) => ({ ...file })) };
}

/** Estimates the bytes of a list; undefined if it is not one. */
function sizeOf(files: unknown): number | undefined {
  if (!Array.isArray(files)) return undefined;
  return files.reduce((sum: number, file) => sum + String(Object(file).path).length + 16, 0);
}

/**
 * Checks whether a source failed for the moment. Otherwise it has answered, for example that there is no such file, or that nobody may
 * read it any more. Sources name the cause of a failure.
 */
function isFailure(error: unknown): boolean {
  if (!isSkillError(error)) return !isAnswer(error);
  if (error.code === 'source-failed') return true;
  return error.code === 'resource-unreadable' && error.cause !== undefined && !isAnswer(error.cause);
}

function isAnswer(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(String(getSafely(error, 'code')));
}
