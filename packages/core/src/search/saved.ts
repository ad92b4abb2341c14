// Writes what an index knows as bytes, and reads it back: loading takes a fraction of the time that indexing takes.

import type { Documents } from './documents.ts';

/** Changes with everything that changes terms, their numbers or prints. */
const format = 'skillful-index-5';

const order = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'little' : 'big';

/** Returns the bytes of an index: a line of JSON with the sizes, the terms, and the arrays as they are in memory. */
export function saveDocuments({ terms, prints, starts, entries, counts }: Documents): Uint8Array {
  const text = new TextEncoder().encode(terms.join('\n'));
  const sizes = [text.length, terms.length, prints.length, starts.length, entries.length, counts.length];
  const head = new TextEncoder().encode(`${JSON.stringify({ format, order, sizes })}\n`);
  const parts = [head, text, ...[prints, starts, entries, counts].map(bytesOf)];
  const saved = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    saved.set(part, at);
    at += part.length;
  }
  return saved;
}

/** Reads those bytes. Returns `undefined` if they are not a saved index of this version, or do not fit together. */
export function openDocuments(saved: Uint8Array): Documents | undefined {
  const end = saved.subarray(0, 200).indexOf(10);
  const head = end === -1 ? undefined : parseHead(new TextDecoder().decode(saved.subarray(0, end)));
  if (head?.format !== format || head.order !== order) return undefined;
  const [textSize = 0, termCount = 0, ...sizes] = head.sizes;
  let at = end + 1 + textSize;
  const text = new TextDecoder().decode(saved.subarray(end + 1, at));
  const [prints, starts, entries, counts] = [Float64Array, Uint32Array, Uint32Array, Uint16Array].map((type, index) => {
    const from = at;
    at += (sizes[index] ?? 0) * type.BYTES_PER_ELEMENT;
    return saved.slice(from, at).buffer;
  });
  if (at !== saved.length || prints === undefined || starts === undefined) return undefined;
  if (entries === undefined || counts === undefined) return undefined;
  const terms = text === '' ? [] : text.split('\n');
  const documents = {
    terms,
    prints: new Float64Array(prints),
    starts: new Uint32Array(starts),
    entries: new Uint32Array(entries),
    counts: new Uint16Array(counts),
  };
  return terms.length === termCount && isSound(documents) ? documents : undefined;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

interface Head {
  readonly format: unknown;
  readonly order: unknown;
  readonly sizes: readonly number[];
}

function parseHead(line: string): Head | undefined {
  try {
    const head: unknown = JSON.parse(line);
    if (typeof head !== 'object' || head === null || !('sizes' in head) || !Array.isArray(head.sizes)) return undefined;
    const sizes: readonly unknown[] = head.sizes;
    const isSize = (size: unknown): size is number =>
      typeof size === 'number' && Number.isSafeInteger(size) && size >= 0;
    if (!sizes.every(isSize)) return undefined;
    return { format: 'format' in head && head.format, order: 'order' in head && head.order, sizes };
  } catch {
    return undefined;
  }
}

/** A damaged file must not lead a search astray. */
function isSound({ terms, prints, starts, entries, counts }: Documents): boolean {
  if (starts.length !== terms.length + 1 || entries.length !== counts.length) return false;
  if (starts[0] !== 0 || starts.at(-1) !== entries.length) return false;
  for (let at = 1; at < starts.length; at++) if ((starts[at] ?? 0) < (starts[at - 1] ?? 0)) return false;
  for (let at = 0; at < entries.length; at++) if ((entries[at] ?? 0) >= prints.length) return false;
  return true;
}
