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
      name: 'license-of-yaml',
      writeBundle({ dir = 'dist' }) {
        const license = new URL('../LICENSE', import.meta.resolve('yaml'));
        copyFileSync(fileURLToPath(license), join(dir, 'yaml.LICENSE'));
      },
    },
  ],
});
