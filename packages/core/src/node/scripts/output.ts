// Keeps the beginning and the end of a process's output, because context comes first and errors come last.

import { StringDecoder } from 'node:string_decoder';

/** Collects one stream. */
export interface OutputCollector {
  /** Adds a piece, and returns its text. */
  add(piece: Buffer): string;
  readonly text: () => string;
  readonly isCut: () => boolean;
}

/** Creates a collector that keeps `limit` bytes: half from the beginning, half from the end. */
export function collectOutput(limit: number): OutputCollector {
  const half = Math.floor(limit / 2);
  const decoder = new StringDecoder('utf8');
  let head = Buffer.alloc(0);
  /** What follows the head, in circles, so that a piece costs no more than its own length. */
  let ring = Buffer.alloc(0);
  let total = 0;
  let behind = 0;
  return {
    add(piece) {
      head = grow(head, Math.min(half, total + piece.length), half);
      if (total < half) piece.copy(head, total);
      const rest = piece.subarray(Math.max(0, half - total));
      total += piece.length;
      behind += rest.length;
      ring = grow(ring, Math.min(half, behind), half);
      const last = rest.subarray(Math.max(0, rest.length - half));
      const copied = last.copy(ring, (behind - last.length) % half);
      last.copy(ring, 0, copied);
      return decoder.write(piece);
    },
    text() {
      const left = Math.max(0, behind - half);
      const start = left === 0 ? 0 : behind % half;
      return Buffer.concat([
        head.subarray(0, total),
        Buffer.from(left > 0 ? `\n[${left} bytes left out]\n` : ''),
        ring.subarray(start, behind),
        ring.subarray(0, start),
      ]).toString();
    },
    isCut: () => behind > half,
  };
}

/** Returns a buffer with at least so many bytes. It doubles, because most programs write little, whatever the limit is. */
function grow(buffer: Buffer<ArrayBuffer>, wanted: number, limit: number): Buffer<ArrayBuffer> {
  if (wanted <= buffer.length) return buffer;
  return Buffer.concat([buffer], Math.min(limit, Math.max(wanted, 2 * buffer.length)));
}
