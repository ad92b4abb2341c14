// Shows progress at a terminal if work takes longer than a second.

import type { CommandLine } from '../command-line.ts';

const patience = 1000;
/** Clears the current line. */
export const eraseLine = '\r\u001b[K';

/** Waits for work, which `words` describe. */
export async function withProgress<Result>(words: string, io: CommandLine, work: Promise<Result>): Promise<Result> {
  if (io.stderr.isTTY !== true) return work;
  let shown = false;
  const timer = setTimeout(() => {
    shown = true;
    io.stderr.write(`${words} …`);
  }, patience);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    // A dumb terminal, such as a shell in Emacs, would show the sequence itself.
    if (shown) io.stderr.write(io.environment['TERM'] === 'dumb' ? '\n' : eraseLine);
  }
}
