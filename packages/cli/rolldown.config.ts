// Bundles the command with all that it needs, because a program that starts pays for every file, package and module.
// What one command alone needs is a file of its own. The core is taken from its source, so that only the modules in use come along.

import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'rolldown';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const prefix = '\0builtin:';

/** Takes modules of Node without an import, which would load the parts that each of them keeps for later, such as workers. */
const builtins: Plugin = {
  name: 'builtins',
  resolveId: (source) => (source.startsWith('node:') ? prefix + source : undefined),
  load: async (id) => {
    if (!id.startsWith(prefix)) return undefined;
    const source = id.slice(prefix.length);
    const exported = Object.keys((await import(source)) as object).filter((name) => /^(?!default$)\w+$/u.test(name));
    const names = exported.map((name) => `export const ${name} = builtin.${name};`);
    return `const builtin = /* @__PURE__ */ process.getBuiltinModule('${source}');\nexport default builtin;\n${names.join('\n')}`;
  },
};

/** Commander can run programs as commands, which this one never does: loading that module takes long. */
const withoutProcesses: Plugin = {
  name: 'without-processes',
  resolveId: (source, importer) =>
    source === 'node:child_process' && importer?.includes('/commander/') === true ? '\0no-processes' : undefined,
  load: (id) => (id === '\0no-processes' ? 'export default {};' : undefined),
};

const ownVersion: Plugin = {
  name: 'own-version',
  load: (id) =>
    id.endsWith('/src/version.ts') ? `export const readVersion = () => ${JSON.stringify(version)};` : undefined,
};

const licenses: Plugin = {
  name: 'licenses',
  writeBundle({ dir = 'dist' }) {
    const copy = (path: string, bundled: string, name: string): void =>
      copyFileSync(fileURLToPath(new URL(path, import.meta.resolve(bundled))), join(dir, name));
    copy('./LICENSE', 'commander', 'commander.LICENSE');
    copy('./yaml.LICENSE', '@skillful/core', 'yaml.LICENSE');
  },
};

export default defineConfig({
  input: { bin: 'src/bin.ts', index: 'src/index.ts' },
  // As the core: then the parser of YAML comes as modules, of which only a part is needed.
  platform: 'neutral',
  resolve: { conditionNames: ['skillful-source', 'import', 'default'] },
  // Of a module of Node, only the functions that are used stay.
  treeshake: { propertyReadSideEffects: false },
  output: {
    dir: 'dist',
    cleanDir: true,
    chunkFileNames: 'shared/[name].js',
    codeSplitting: {
      groups: [
        { name: 'start', test: /src.(?:run|process)\.ts$/ },
        { name: 'skills', minShareCount: 4 },
      ],
    },
  },
  plugins: [withoutProcesses, builtins, ownVersion, licenses],
});
