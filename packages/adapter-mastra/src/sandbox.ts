// Gives the core's runner of scripts a sandbox of a Mastra workspace.

import type { WorkspaceSandbox } from '@mastra/core/workspace';
import type { ScriptSandbox } from '@skillful/core';

/** Returns the sandbox of a workspace as one for `sandboxRunner` of the core. Some sandboxes of Mastra run no commands. */
export function scriptSandbox(sandbox: Pick<WorkspaceSandbox, 'executeCommand'>): ScriptSandbox {
  return {
    async run(command, { signal, onOutput }) {
      const result = await sandbox.executeCommand?.(command, [], {
        ...(signal !== undefined && { abortSignal: signal }),
        ...(onOutput !== undefined && {
          onStdout: (text: string) => onOutput({ stream: 'output', text }),
          onStderr: (text: string) => onOutput({ stream: 'errors', text }),
        }),
      });
      return result ?? { exitCode: 127, stdout: '', stderr: 'This sandbox runs no commands.' };
    },
  };
}
