// Programs that start pay for what the core does while it is imported.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packages } from './workspace.ts';

const built = join(packages.find(({ folder }) => folder === 'core')?.directory ?? '', 'dist');
const files = globSync('**/*.js', { cwd: built });

it.each(files)('builds no expression with a class such as `\\p{L}` while %s is imported', (file) => {
  const lines = readFileSync(join(built, file), 'utf8').split('\n');
  expect(lines.filter((line) => /^(?:const|let|var) [^(]*\bnew RegExp\(".*\\\\p\{/.test(line))).toEqual([]);
});
