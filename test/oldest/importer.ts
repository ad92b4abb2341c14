// Decides which imports mean another version of a framework: the lowest that the adapters allow, or one that they refuse.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a function that returns the file to resolve an import from instead, if a file of ours imports a framework of a folder
 * beside this one.
 */
export function createImporter(folder: string): (source: string, importer: string | undefined) => string | undefined {
  const manifest = join(import.meta.dirname, '..', folder, 'package.json');
  const { devDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  return (source, importer) => {
    const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(source) ?? [];
    return name in devDependencies && importer?.includes('/node_modules/') === false ? manifest : undefined;
  };
}
