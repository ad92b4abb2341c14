// What the command knows of the process that it runs in, so that a test or another program can be that process.

/** Where output goes; the streams of a process fit. */
export interface OutputStream {
  write(chunk: string | Uint8Array): unknown;
  /** True for a terminal: then there is colour, progress, and nothing that could steer the terminal. */
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
}

/** `0` fine, `1` the answer is no, `2` wrong usage or an unreadable path. */
export type ExitCode = 0 | 1 | 2;

/** Takes the exit code that a command comes to. */
export type Answer = (code: ExitCode) => void;
