// Bytes as text, in every runtime: `Uint8Array.prototype.toBase64` is not everywhere yet.

/** Encodes bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += chunk) binary += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(binary);
}

/** Bytes at a time: each is an argument of one call. */
const chunk = 8_192;
