// Bundles the core, because a program that starts pays for every file. The YAML parser is part of it.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { Visitor } from 'rolldown/utils';

/** An engine keeps a text in half the memory, and reads it faster, if it is ASCII. */
function escapeSigns(code: string): string {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Builds each regular expression with a class such as `\p{L}` when it is used. Otherwise an engine builds all of them to check
 * them while it loads the file, which takes a sixth of the time of an import.
 */
function buildExpressionsLate(code: string): string {
  let late = '';
  let end = 0;
  const visitor = new Visitor({
    Literal(node) {
      if (!('regex' in node) || !/\\p\{/i.test(node.regex.pattern)) return;
      const { pattern, flags } = node.regex;
      late += `${code.slice(end, node.start)}new RegExp(${JSON.stringify(pattern)}, '${flags}')`;
      end = node.end;
    },
  });
  visitor.visit(parseAst(code));
  return late + code.slice(end);
}

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
    // One file for what the entries share, because Node takes a tenth of the import to find and link seven more.
    codeSplitting: { groups: [{ name: 'core', minShareCount: 2 }] },
  },
  plugins: [
    {
      name: 'fast-start',
      generateBundle(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk') chunk.code = buildExpressionsLate(escapeSigns(chunk.code));
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
