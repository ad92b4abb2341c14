// Saves an index as bytes and loads it again, because loading takes a fraction of the time of indexing.

import { parseJson, recordOf } from '../runtime/record.ts';
import type { Documents } from './documents.ts';
import { mix } from './indexed-text.ts';

/** Must change whenever terms, their numbers or fingerprints change. */
const format = 'skillful-index-12';

/** Returns the bytes of an index: a line of JSON with the sizes and a hash, then the terms, then the arrays as in memory. */
export function saveDocuments({ terms, fingerprints, starts, entries, counts }: Documents): Uint8Array {
  const text = new TextEncoder().encode(terms.join('\n'));
  const arrays = [fingerprints, starts, entries, counts];
  const sizes = [text, ...arrays].map(({ length }) => length);
  const body = joinBytes([text, ...arrays.map(bytesOf)]);
  const head = new TextEncoder().encode(`${JSON.stringify({ format, sizes, hash: hashOf(sizes, body) })}\n`);
  return joinBytes([head, body]);
}

/** Loads a saved index. Returns `undefined` if the bytes are not from this version or are damaged. */
export function openDocuments(saved: Uint8Array): Documents | undefined {
  // The first line is shorter than 200 bytes, and ends with the byte 10.
  const start = saved.subarray(0, 200).indexOf(10) + 1;
  const body = saved.subarray(start);
  const { format: own, sizes, hash } = recordOf(parseJson(new TextDecoder().decode(saved.subarray(0, start))));
  if (own !== format || !Array.isArray(sizes) || hash !== hashOf(sizes, body)) return undefined;
  const [textSize = 0, printCount = 0, startCount = 0, entryCount = 0, countCount = 0]: readonly number[] = sizes;
  let at = 0;
  const next = (bytes: number): ArrayBuffer => {
    at += bytes;
    // A new array, because `slice` of a `Buffer` does not copy.
    return new Uint8Array(body.subarray(at - bytes, at)).buffer;
  };
  const text = new TextDecoder().decode(next(textSize));
  return {
    terms: text === '' ? [] : text.split('\n'),
    fingerprints: new Float64Array(next(8 * printCount)),
    starts: new Uint32Array(next(4 * startCount)),
    entries: new Uint32Array(next(4 * entryCount)),
    counts: new Uint16Array(next(2 * countCount)),
  };
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

/** Returns a hash that any changed byte or size changes. It differs between machines whose bytes have another order. */
function hashOf(sizes: readonly number[], body: Uint8Array): number {
  const rest = body.length % 4;
  const words = new Uint32Array(new Uint8Array(body.subarray(0, body.length - rest)).buffer);
  let hash = sizes.reduce(mix, body.length);
  // A loop, because `reduce` takes four times as long, and loading would miss its target.
  for (let at = 0; at < words.length; at++) hash = mix(hash, words[at] ?? 0);
  return body.subarray(body.length - rest).reduce(mix, hash);
}
