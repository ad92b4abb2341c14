// Reads the version of another project, which the page names.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the version of a package that is installed in the directory of a program. */
export function installedVersion(directory: string, name: string): string {
  return JSON.parse(readFileSync(join(directory, 'node_modules', name, 'package.json'), 'utf8')).version;
}
