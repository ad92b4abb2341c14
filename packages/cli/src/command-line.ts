// Defines what the command needs from its process, so that a test or another program can provide it.

/** Where output goes, such as the streams of a process. */
export interface OutputStream {
  /** Receives strings for people, and bytes for exact text and files. */
  write(chunk: string | Uint8Array): unknown;
  /** True for a terminal, which gets colours and progress, and escaped control characters. */
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal in columns. */
  readonly columns?: number | undefined;
}

/** The surroundings of one call of the command. */
export interface CommandLine {
  /** The standard input. @default it is empty */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Absolute path of the working directory. `--cwd` and other relative paths are resolved against it. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends a running script, and `--watch`, when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Asks the person at the terminal, and returns the answer. Without it, no questions are asked. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** `0`: fine. `1`: the answer is no. `2`: wrong usage or an unreadable path. */
export type ExitCode = 0 | 1 | 2;

/** Receives the exit code of a command. */
export type Answer = (code: ExitCode) => void;
