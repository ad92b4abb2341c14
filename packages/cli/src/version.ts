// Reads the version of this package from its manifest.

import { readFileSync } from 'node:fs';

/** Reads the version. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const isNamed = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isNamed && typeof manifest.version === 'string' ? manifest.version : 'unknown';
}
