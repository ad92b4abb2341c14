// Gives the core's runner of scripts a sandbox of the AI SDK.

import type { ScriptSandbox } from '@skillful/core';

/** What is used of the SDK's `SandboxSession`, which version 6 does not have. */
export interface CommandSession {
  run(options: { command: string; abortSignal?: AbortSignal }): ReturnType<ScriptSandbox['run']>;
}

/** Returns a sandbox of the AI SDK as one for `sandboxRunner` of the core. */
export function scriptSandbox(session: CommandSession): ScriptSandbox {
  return {
    run: (command, { signal }) => session.run({ command, ...(signal !== undefined && { abortSignal: signal }) }),
  };
}
