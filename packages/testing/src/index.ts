// Contract suites: what every source and every adapter has to pass.

export type {
  AdapterConversation,
  AdapterHarness,
  AdapterRun,
  AdapterSession,
  AdapterSessionOptions,
  ObservedCall,
  ObservedFile,
  ObservedTool,
  ScriptedCall,
  ScriptedTurn,
} from './adapter-harness.ts';
export { testAdapter } from './test-adapter.ts';
export { testSession } from './test-session.ts';
export { type SourceFixture, testSource } from './test-source.ts';
