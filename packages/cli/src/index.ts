// The entry for programs, with the whole command as one function.

export type { CommandLine, ExitCode, OutputStream } from './command-line.ts';
export { run } from './run.ts';
