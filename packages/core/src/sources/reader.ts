// A source of skills behind anything that lists directories and reads files, such as a framework's workspace, a bucket or an
// archive.

import { createDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { mapInBatches } from '../runtime/batches.ts';
import { isBuffer, isBytes, isTextList, kindOf } from '../runtime/record.ts';
import { reasonOf } from '../skill/error.ts';
import { maxRefusedPaths } from '../skill/limits.ts';
import { checkKeys } from '../skill/options.ts';
import { unreadableFile } from '../skill/paths.ts';
import type { SkillEntry, SkillFile, SkillSource, SourceOptions } from '../skill/source.ts';
import { cutFile, lookUpPath, splitPaths } from './given-file.ts';
import type { MemorySourceOptions } from './memory.ts';

/**
 * Access to the files of skills, for `readerSource`. It receives only paths that passed a check of their text, and decides itself
 * which links it follows. It rejects if it cannot answer.
 */
export interface SkillReader {
  /**
   * Lists the directories that contain a `SKILL.md`, in any order. Each becomes a skill, so leave out those inside another one,
   * which are usually templates.
   */
  list(options: SourceOptions): Promise<readonly string[]>;
  /** Lists the files in one of the directories, by their relative paths. A file without a size is read to find it out. */
  listFiles(directory: string, options: SourceOptions): Promise<readonly (string | SkillFile)[]>;
  /**
   * Reads one of these files, or `agents/openai.yaml`, which most skills do not have; undefined or null if there is no such file.
   * Return bytes if a file may be an image, for example, which text cannot contain. If it rejects for a `SKILL.md`, that skill is
   * left out until the next listing, and if it rejects for `agents/openai.yaml`, only users can activate it. So repeat requests here
   * if your storage limits them.
   */
  read(
    directory: string,
    path: string,
    options: SourceOptions,
  ): Promise<Uint8Array | ArrayBuffer | string | null | undefined>;
}

export interface ReaderSourceOptions extends MemorySourceOptions {
  /** Names the source in diagnostics. */
  readonly id: string;
}

/**
 * Creates a source from a reader. Listing reads each whole `SKILL.md`, and listing the files of a skill reads those without a
 * size. If the reader is slow, wrap the source in `cacheSource`.
 *
 * @throws {SkillError} `options-invalid` if an option is unknown
 */
export function readerSource(reader: SkillReader, options: ReaderSourceOptions): SkillSource {
  checkKeys('options', options, ['id', 'scope', 'trusted']);
  const { id, scope = 'builtin', trusted = true } = options;

  async function read(directory: string, path: string, { signal }: SourceOptions): Promise<Uint8Array | undefined> {
    const content: unknown = await reader.read(directory, path, { signal });
    signal?.throwIfAborted();
    if (isBytes(content)) return content;
    if (isBuffer(content)) return new Uint8Array(content);
    if (typeof content === 'string') return new TextEncoder().encode(content);
    if (content === undefined || content === null) return undefined;
    throw new TypeError(`the reader returned ${kindOf(content)}, expected text or a Uint8Array`);
  }

  async function readEntry(directory: string, signal: AbortSignal | undefined): Promise<SkillEntry | Diagnostic> {
    const location = `${directory}/SKILL.md`;
    try {
      // Many stores would take this for a path outside, such as that of another tenant.
      if (directory.split(/[/\\]/).includes('..')) throw new Error('the name of its directory contains `..`');
      const head = await read(directory, 'SKILL.md', { signal });
      if (head === undefined) throw new Error('the reader found no such file');
      const sidecar = await read(directory, 'agents/openai.yaml', { signal }).catch((error: unknown) => {
        signal?.throwIfAborted();
        return reasonOf(error);
      });
      return { directory, location, head, bytes: head.length, ...(sidecar === undefined ? {} : { sidecar }) };
    } catch (error) {
      signal?.throwIfAborted();
      return createDiagnostic('skill-file-unreadable', { source: id, location }, { reason: reasonOf(error) });
    }
  }

  return {
    id,
    scope,
    trusted,
    async list({ signal } = {}) {
      signal?.throwIfAborted();
      const listed = await reader.list({ signal });
      assertList(listed);
      if (!isTextList(listed)) throw new TypeError('the reader listed a directory that is not text');
      const directories = [...new Set(listed)].sort();
      const read = await mapInBatches(directories, (directory) => readEntry(directory, signal));
      return {
        entries: read.filter((found) => 'head' in found),
        diagnostics: read.filter((found) => 'code' in found),
      };
    },
    async listFiles({ directory }, { signal } = {}) {
      signal?.throwIfAborted();
      const listed: unknown = await reader.listFiles(directory, { signal });
      assertList(listed);
      const sizes = new Map<string, number | undefined>();
      for (const file of listed) {
        const { path, bytes } = typeof file === 'string' ? { path: file } : Object(file);
        if (typeof path !== 'string') throw new TypeError('the reader listed a file without a path');
        sizes.set(path, isSize(bytes) ? bytes : undefined);
      }
      const { bundled, refused } = splitPaths([...sizes.keys()].sort());
      const unreadable: string[] = [];
      const files = await mapInBatches(bundled, async (path) => {
        try {
          const bytes = sizes.get(path);
          if (bytes !== undefined) return [{ path, bytes }];
          const content = await read(directory, path, { signal });
          if (content !== undefined) return [{ path, bytes: content.length }];
        } catch {
          signal?.throwIfAborted();
        }
        unreadable.push(path);
        return [];
      });
      const left = [...refused, ...unreadable].sort().slice(0, maxRefusedPaths);
      return { files: files.flat(), truncated: false, ...(left.length === 0 ? {} : { refused: left }) };
    },
    async readFile({ directory }, path, options = {}) {
      const { signal } = options;
      signal?.throwIfAborted();
      const content = await read(directory, lookUpPath(path, options), { signal }).catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw unreadableFile(path, cause);
      });
      return cutFile(content, path, options);
    },
  };
}

function assertList(listed: unknown): asserts listed is readonly unknown[] {
  if (!Array.isArray(listed)) throw new TypeError(`the reader listed ${kindOf(listed)}, expected a list of paths`);
}

function isSize(bytes: unknown): bytes is number {
  return Number.isSafeInteger(bytes) && Number(bytes) >= 0;
}
