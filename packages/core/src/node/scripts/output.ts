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
  let tail = Buffer.alloc(0);
  let total = 0;
  return {
    add(piece) {
      const room = half - head.length;
      head = Buffer.concat([head, piece.subarray(0, room)]);
      const rest = Buffer.concat([tail, piece.subarray(room)]);
      // A copy, so that the larger buffer does not stay in memory.
      tail = Buffer.from(rest.subarray(Math.max(0, rest.length - half)));
      total += piece.length;
      return decoder.write(piece);
    },
    text() {
      const left = total - head.length - tail.length;
      return Buffer.concat([head, Buffer.from(left > 0 ? `\n[${left} bytes left out]\n` : ''), tail]).toString();
    },
    isCut: () => total > head.length + tail.length,
  };
}
