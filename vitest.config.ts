import { defineConfig } from 'vitest/config';

// Tests of packages run against the sources through the workspace's own export condition, so that no build is needed first.
const conditions = ['skillful-source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    env: { MASTRA_TELEMETRY_DISABLED: '1' },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          include: ['packages/core/test/**/*.test.ts'],
          setupFiles: ['packages/core/test/property-seed.ts'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/test/**/*.test.ts', 'examples/test/**/*.test.ts'],
          exclude: ['packages/core/**', '**/node_modules/**'],
          testTimeout: 30_000,
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
