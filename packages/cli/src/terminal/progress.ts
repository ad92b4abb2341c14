// Shows a person at a terminal that work is under way, once it takes longer than a second.

import type { CommandLine } from '../command-line.ts';

const patience = 1000;
/** Clears the line of the cursor. */
export const eraseLine = '\r\u001b[K';

/** Waits for some work that `words` describe. */
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
    if (shown) io.stderr.write(eraseLine);
  }
}
