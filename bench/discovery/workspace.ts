// The core as it stands in this repository, for loads that are put on its sources.

export const core: typeof import('../../packages/core/src/index.ts') = await import('../../packages/core/src/index.ts');

export const node: typeof import('../../packages/core/src/node/index.ts') = await import(
  '../../packages/core/src/node/index.ts'
);
