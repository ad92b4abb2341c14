// Reads a stream that may have no end, such as the standard input.

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
