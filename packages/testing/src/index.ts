// Contract suites that every source and every adapter must pass.

export { testAdapter } from './test-adapter.ts';
export { testSession } from './test-session.ts';
export { type SourceFixture, testSource } from './test-source.ts';
