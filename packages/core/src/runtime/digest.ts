// Names the exact content of a file, so that a change on disk can be told from a repetition.

type Hash = (algorithm: 'sha256', bytes: Uint8Array, encoding: 'hex') => string;

let nativeHash: Hash | false | undefined;

/**
 * Gives `sha256:` and 64 lower-case hexadecimal digits for some bytes: at once where the runtime can, for that takes a fifth
 * of the time, else by Web Crypto, which every supported runtime has.
 */
export function digestBytes(bytes: Uint8Array): string | Promise<string> {
  nativeHash ??= findHash(globalThis) ?? false;
  return nativeHash === false ? digestByWebCrypto(bytes) : `sha256:${nativeHash('sha256', bytes, 'hex')}`;
}

/** Finds the hash of Node, Bun and Deno, where this is one of them: nothing is imported, for elsewhere there is nothing to import. */
export function findHash({ process }: { readonly process?: Partial<NodeJS.Process> }): Hash | undefined {
  const hash: unknown = process?.getBuiltinModule?.('node:crypto')?.hash;
  return typeof hash === 'function' ? (hash as Hash) : undefined;
}

/** Gives the same where there is nothing but the web. */
export async function digestByWebCrypto(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  let hex = '';
  for (const byte of hash) hex += byte.toString(16).padStart(2, '0');
  return `sha256:${hex}`;
}
