// Reads the version of this package from its manifest.

import { readFileSync } from 'node:fs';

/** Reads the version. */
export function readVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
