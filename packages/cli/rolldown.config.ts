// Bundles the command with all that it needs, because a program that starts pays for every file, package and module.
// What one command alone needs is a file of its own. The core is taken from its source, so that only the modules in use come along.

import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, RolldownMagicString } from 'rolldown';

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

/** Commander asks for letters of all alphabets in options. That class of Unicode takes longer to build than all options. */
const asciiOptions: Plugin = {
  name: 'ascii-options',
  transform: (code, id) =>
    id.endsWith('/commander/lib/option.js') ? code.replace('\\p{ID_Continue}', '\\w') : undefined,
};

const yaml = fileURLToPath(new URL('../core/src/format/frontmatter/yaml.ts', import.meta.url));

/** Loads the parser of YAML once a file needs it. Most files do not: they are plain enough to be read without. */
const yamlOnDemand: Plugin = {
  name: 'yaml-on-demand',
  buildStart() {
    this.emitFile({ type: 'chunk', id: yaml, fileName: 'shared/yaml.js' });
  },
  resolveId: (source, importer) =>
    importer !== undefined && join(dirname(importer), source) === yaml ? '\0yaml-on-demand' : undefined,
  load: (id) =>
    id === '\0yaml-on-demand'
      ? `const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
         export const parseYaml = (...given) => require('./yaml.js').parseYaml(...given);`
      : undefined,
};

/** V8 compiles a function in parentheses at once, so that it is in the cache that `bin.ts` asks for; any other one at each start. */
const compiledAtOnce: Plugin = {
  name: 'compiled-at-once',
  renderChunk(code, { name }) {
    if (name === 'bin') return undefined;
    const text = new RolldownMagicString(code);
    for (const node of this.parse(code).body) {
      if (node.type !== 'FunctionDeclaration') continue;
      text.prependRight(node.start, `const ${node.id?.name} = (`).appendLeft(node.end, ');\n');
      // A declaration can be used above its place.
      text.move(node.start, node.end, 0);
    }
    return text.toString();
  },
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
    // Less to read at each start. V8 stores a source that is not ASCII in two bytes a character, and Node converts it twice.
    minify: { compress: false, mangle: false, codegen: { asciiOnly: true, removeWhitespace: false } },
    comments: { jsdoc: false },
    codeSplitting: {
      groups: [
        { name: 'start', test: /src.(?:run|process)\.ts$/ },
        { name: 'skills', minShareCount: 4 },
      ],
    },
  },
  plugins: [withoutProcesses, asciiOptions, builtins, yamlOnDemand, ownVersion, compiledAtOnce, licenses],
});
