// Reads a stream that may have no end, such as the standard input.

import { SkillError } from '@skillful/core';
import type { CommandLine } from '../command-line.ts';
import { reasonOf } from './sources.ts';

/** Reads a stream to its end, or until it has more bytes than a limit. */
export async function readUpTo(
  limit: number,
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limit) break;
  }
  return Buffer.concat(chunks);
}

/**
 * Reads the standard input to its end, or until it has more bytes than a limit.
 *
 * @throws {SkillError} `source-failed`
 */
export function readStandardInput(limit: number, { stdin }: CommandLine): Promise<Uint8Array> {
  return readUpTo(limit, stdin ?? []).catch((cause: unknown) => {
    throw new SkillError('source-failed', `The standard input cannot be read: ${reasonOf(cause)}.`, { cause });
  });
}
