// Reads a small file that the user or others keep, and nothing in its place that could hang or go on without end.

import { isSkillError } from '../../skill/error.ts';
import { openRegular } from './contained-file.ts';
import { errnoOf, type FileSystem, isLink, isOutOfDescriptors, nodeFileSystem, reasonOf } from './file-system.ts';
import { readInto } from './read.ts';

/** What a file holds, or in words why it was not read. */
export type StoredText = { readonly text: string } | { readonly problem: string };

/**
 * Reads a regular file as text, also through links; `undefined` where there is none. A link that leads nowhere is a problem:
 * what is at its end may only be away. Running out of descriptors says nothing about the file and is thrown on.
 *
 * @param maxBytes a longer file is a problem
 */
export function readSmallText(
  path: string,
  maxBytes: number,
  files: FileSystem = nodeFileSystem,
): StoredText | undefined {
  try {
    const { descriptor, bytes } = openRegular(files, files.realpath(path), path);
    try {
      // One more, to see that there is no more.
      let content = new Uint8Array(Math.min(bytes, maxBytes) + 1);
      let filled = readInto(files, descriptor, content, 0, content.length);
      if (filled > bytes && filled <= maxBytes) {
        // It has more than it claims to have, as the files of `/proc` do.
        const whole = new Uint8Array(maxBytes + 1);
        whole.set(content);
        content = whole;
        filled += readInto(files, descriptor, content, filled, content.length - filled);
      }
      if (filled > maxBytes) return { problem: `it has more than ${maxBytes} bytes` };
      return { text: new TextDecoder().decode(content.subarray(0, filled)) };
    } finally {
      files.close(descriptor);
    }
  } catch (error) {
    // What a pipe without a writer, a socket and a device answer differs; none of them is read.
    if (isSkillError(error)) return { problem: 'it is not a regular file' };
    const errno = errnoOf(error);
    if (isOutOfDescriptors(errno)) throw error;
    if (errno === 'ENXIO') return { problem: 'it is not a regular file' };
    if (errno !== 'ENOENT' && errno !== 'ENOTDIR') return { problem: reasonOf(errno) };
    return isLink(files, path) ? { problem: 'it is a link that leads nowhere' } : undefined;
  }
}
