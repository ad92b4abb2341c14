// What the command needs from its process, so that a test or another program can provide it instead.

/** Where output goes; the streams of a process fit. */
export interface OutputStream {
  /** Gets strings for people, and exact text and files as bytes. */
  write(chunk: string | Uint8Array): unknown;
  /** True for a terminal: then there is colour and progress, and control characters are escaped. */
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal in columns. */
  readonly columns?: number | undefined;
}

/** The surroundings of one call of the command. */
export interface CommandLine {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Absolute path against which `--cwd` and every other path is resolved. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Asks the person at the terminal, and returns the answer; without it, nothing is asked. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** `0` fine, `1` the answer is no, `2` wrong usage or an unreadable path. */
export type ExitCode = 0 | 1 | 2;

/** Receives the exit code of a command. */
export type Answer = (code: ExitCode) => void;
