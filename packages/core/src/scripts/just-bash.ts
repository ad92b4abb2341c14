// A sandbox of `just-bash`: a shell written in JavaScript, with files in memory, no processes and by default no network.

import type { SandboxOutcome, ScriptSandbox } from './sandbox-runner.ts';

/** What is used of `Bash`, so that the core does not import it. */
export interface BashLike {
  exec(command: string, options?: { signal?: AbortSignal }): Promise<SandboxOutcome>;
}

/** Creates a sandbox of a `Bash`. It has the programs of a shell, but neither Python nor Node unless that `Bash` has them. */
export function justBashSandbox(bash: BashLike): ScriptSandbox {
  return {
    run: (command, { signal }) => bash.exec(command, signal === undefined ? {} : { signal }),
  };
}
