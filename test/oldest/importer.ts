// Decides which imports mean another version of a framework: the lowest that the adapters allow, or one that they refuse.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const manifest = join(import.meta.dirname, '..', process.env['SKILLFUL_PEERS'] ?? 'oldest', 'package.json');
const { devDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));

/** Returns the file to resolve an import from instead, if a file of ours imports a framework. */
export function importerFor(source: string, importer: string | undefined): string | undefined {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(source) ?? [];
  return name in devDependencies && importer?.includes('/node_modules/') === false ? manifest : undefined;
}
