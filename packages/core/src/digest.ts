// Names the exact content of a file, so that a change on disk can be told from a repetition.

/** Gives `sha256:` and 64 lower-case hexadecimal digits for some bytes. Needs Web Crypto, which every supported runtime has. */
export async function digestBytes(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  let hex = '';
  for (const byte of hash) hex += byte.toString(16).padStart(2, '0');
  return `sha256:${hex}`;
}
