// Bundles the core, for a program that starts pays for every file; the parser of YAML is part of it.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';

export default defineConfig({
  input: {
    index: 'src/index.ts',
    authoring: 'src/authoring.ts',
    extending: 'src/extending.ts',
    'node/index': 'src/node/index.ts',
  },
  platform: 'neutral',
  external: /^node:/,
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: 'shared/[name].js',
  },
  plugins: [
    {
      name: 'ascii',
      // An engine keeps a text in half the memory, and reads it faster, if it is ASCII.
      generateBundle(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk') continue;
          chunk.code = chunk.code.replace(
            /[^\0-\x7f]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
          );
        }
      },
    },
    {
      name: 'license-of-yaml',
      writeBundle({ dir = 'dist' }) {
        const license = new URL('../LICENSE', import.meta.resolve('yaml'));
        copyFileSync(fileURLToPath(license), join(dir, 'yaml.LICENSE'));
      },
    },
  ],
});
