// Lets `sandboxRunner` of the core use a sandbox of the AI SDK.

import type { ScriptSandbox } from '@skillful/core';

/** The part of the SDK's `SandboxSession` that is used. Version 6 does not have that type. */
export interface CommandSession {
  run(options: { command: string; abortSignal?: AbortSignal }): ReturnType<ScriptSandbox['run']>;
}

/** Converts a sandbox of the AI SDK for `sandboxRunner` of the core. */
export function scriptSandbox(session: CommandSession): ScriptSandbox {
  return {
    run: (command, { signal }) => session.run({ command, ...(signal !== undefined && { abortSignal: signal }) }),
  };
}
