import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'vitest/config';
import { createImporter } from './test/oldest/importer.ts';

// Tests of packages run against the sources through the workspace's own export condition, so that no build is needed first.
const conditions = ['skillful-source', 'node'];

const oldestHook = join(import.meta.dirname, 'test/oldest/hook.ts');

/** Lets our own files import the versions of frameworks in a folder of `test`, and the processes that tests start, too. */
function otherFrameworks(folder: string): { readonly plugins: Plugin[]; readonly env: Record<string, string> } {
  const importerFor = createImporter(folder);
  const plugin: Plugin = {
    name: `frameworks-${folder}`,
    enforce: 'pre',
    resolveId(source, importer) {
      const from = importerFor(source, importer);
      return from === undefined ? undefined : this.resolve(source, from, { skipSelf: true });
    },
  };
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(oldestHook).href}`, SKILLFUL_PEERS: folder };
  return { plugins: [plugin], env };
}

// Loading the core or a framework takes longer than most of their tests, so one process runs many files.
const isolate = false;

// What replaces calls of Node, or measures its process, has a process of its own.
const alone = ['packages/core/test/node/**/*.test.ts', 'packages/core/test/{growth,memory}.test.ts'];

const setupFiles = ['packages/core/test/property-tests.ts'];

const oldest = otherFrameworks('oldest');
const asking = otherFrameworks('asking');
const six = otherFrameworks('six');

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Vitest leaves one core to itself, which is half of a small machine.
    maxWorkers: '100%',
    testTimeout: 30_000,
    // Without keys, no test reaches a real provider.
    env: { MASTRA_TELEMETRY_DISABLED: '1', OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          isolate,
          setupFiles,
          include: ['packages/core/test/**/*.test.ts'],
          exclude: alone,
        },
      },
      {
        extends: true,
        test: { name: 'node', setupFiles, include: alone },
      },
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/test/**/*.test.ts', 'examples/test/**/*.test.ts'],
          exclude: ['packages/{core,adapter-*}/**', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: { name: 'adapters', isolate, include: ['packages/adapter-*/test/**/*.test.ts'] },
      },
      {
        // The tests of every adapter again, on the other end of its peer ranges.
        extends: true,
        plugins: oldest.plugins,
        test: {
          name: 'oldest',
          isolate,
          env: oldest.env,
          include: ['packages/adapter-*/test/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            // The AI SDK 6 tells no integrations, by which spans find their parents.
            'packages/adapter-vercel-ai/test/telemetry.test.ts',
            // With Mastra 1.42, the adapter asks nobody.
            'packages/adapter-mastra/test/{approval,network}.test.ts',
          ],
        },
      },
      {
        // What the adapter for Mastra does only from a later version on.
        extends: true,
        plugins: asking.plugins,
        test: {
          name: 'asking',
          isolate,
          env: asking.env,
          include: ['packages/adapter-mastra/test/{approval,composition,contract,files,http,network,session}.test.ts'],
        },
      },
      {
        // What the AI SDK 6 does in another way since its first version.
        extends: true,
        plugins: six.plugins,
        test: {
          name: 'six',
          isolate,
          env: six.env,
          include: [
            'packages/adapter-vercel-ai/test/{approval,approval-http,contract,findings,own-loop,session}.test.ts',
          ],
        },
      },
      {
        // What needs the built packages: tarballs installed with npm, documents, exports.
        extends: true,
        test: { name: 'workspace', include: ['test/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
      },
    ],
  },
});
