// Refuses a version of Mastra that would leave skills out without a word.

import mastra from '@mastra/core/package.json' with { type: 'json' };

/** Checks that Mastra calls what this package hooks into, and has a place for its state: since 1.42. */
export function assertVersion(): void {
  const [major = 0, minor = 0] = mastra.version.split('.').map(Number);
  if (major > 1 || (major === 1 && minor >= 42)) return;
  throw new Error(`@skillful/mastra needs @mastra/core 1.42 or later, but ${mastra.version} is installed.`);
}
