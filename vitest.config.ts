import { defineConfig } from 'vitest/config';

// Tests run against the sources through the workspace's own export condition, so that no build is needed first.
const conditions = ['skillful-source', 'node', 'import', 'module', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/test/**/*.test.ts', 'test/**/*.test.ts'],
    env: { MASTRA_TELEMETRY_DISABLED: '1' },
    testTimeout: 30_000,
  },
});
