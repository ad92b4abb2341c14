// Saves an index as bytes and loads it again, because loading takes a fraction of the time of indexing.

import { recordOf } from '../runtime/record.ts';
import { type Documents, mix } from './documents.ts';

/** Must change whenever terms, their numbers or fingerprints change. */
const format = 'skillful-index-8';

const order = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'little' : 'big';

/** Returns the bytes of an index: a line of JSON with the sizes and a hash, then the terms, then the arrays as in memory. */
export function saveDocuments({ terms, prints, starts, entries, counts }: Documents): Uint8Array {
  const text = new TextEncoder().encode(terms.join('\n'));
  const sizes = [text.length, terms.length, prints.length, starts.length, entries.length, counts.length];
  const parts = [text, ...[prints, starts, entries, counts].map(bytesOf)];
  const body = joinBytes(parts);
  const head = new TextEncoder().encode(`${JSON.stringify({ format, order, sizes, hash: hashBytes(body) })}\n`);
  return joinBytes([head, body]);
}

/** Loads a saved index. Returns `undefined` if the bytes are not from this version or are damaged. */
export function openDocuments(saved: Uint8Array): Documents | undefined {
  const start = saved.subarray(0, 200).indexOf(10) + 1;
  const { sizes, hash } = parseHead(new TextDecoder().decode(saved.subarray(0, start))) ?? {};
  if (sizes === undefined || hash !== hashBytes(saved.subarray(start))) return undefined;
  const [textSize = 0, termCount, printCount = 0, startCount = 0, entryCount = 0, countCount = 0] = sizes;
  const needed = start + textSize + 8 * printCount + 4 * (startCount + entryCount) + 2 * countCount;
  if (needed !== saved.length) return undefined;
  let at = start;
  const next = (bytes: number): ArrayBuffer => {
    at += bytes;
    // A new array, because `slice` of a `Buffer` does not copy.
    return new Uint8Array(saved.subarray(at - bytes, at)).buffer;
  };
  const text = new TextDecoder().decode(next(textSize));
  const documents = {
    terms: text === '' ? [] : text.split('\n'),
    prints: new Float64Array(next(8 * printCount)),
    starts: new Uint32Array(next(4 * startCount)),
    entries: new Uint32Array(next(4 * entryCount)),
    counts: new Uint16Array(next(2 * countCount)),
  };
  return documents.terms.length === termCount && isSound(documents) ? documents : undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Returns a hash that any changed byte changes. */
function hashBytes(bytes: Uint8Array): number {
  const rest = bytes.length % 4;
  const words = new Uint32Array(new Uint8Array(bytes.subarray(0, bytes.length - rest)).buffer);
  let hash = 0;
  // A loop, because `reduce` takes four times as long, and loading would miss its target.
  for (let at = 0; at < words.length; at++) hash = mix(hash, words[at] ?? 0);
  return bytes.subarray(bytes.length - rest).reduce(mix, hash);
}

/** Returns what the first line says; undefined if it is from another version or byte order. */
function parseHead(line: string): { readonly sizes: readonly number[]; readonly hash: unknown } | undefined {
  try {
    const head = recordOf(JSON.parse(line));
    const isSize = (size: unknown): boolean => Number.isSafeInteger(size) && Number(size) >= 0;
    const isOurs = head['format'] === format && head['order'] === order;
    const { sizes, hash } = head;
    return isOurs && Array.isArray(sizes) && sizes.every(isSize) ? { sizes, hash } : undefined;
  } catch {
    return undefined;
  }
}

/** Checks that all numbers fit together, so that a damaged file cannot break a search. */
function isSound({ terms, prints, starts, entries, counts }: Documents): boolean {
  if (starts.length !== terms.length + 1 || entries.length !== counts.length) return false;
  if (starts[0] !== 0 || starts.at(-1) !== entries.length) return false;
  for (let at = 1; at < starts.length; at++) if ((starts[at] ?? 0) < (starts[at - 1] ?? 0)) return false;
  for (let at = 0; at < entries.length; at++) if ((entries[at] ?? 0) >= prints.length) return false;
  return true;
}
