// Whoever waits for a lock comes before those who come later: a file for each who waits, whose name says since when.
// It is a matter of politeness only: the lock alone decides who works, so a place that is lost or wrong costs nothing else.

import { closeSync, openSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { removeIfThere, temporaryPath } from './durable-write.ts';
import { errnoOf } from './file-system.ts';

export interface Place {
  /** Counts those who came before; needed again before each attempt. */
  readonly countAhead: () => number;
  /** Makes the place known to others, also anew where it was lost. */
  readonly keep: () => void;
  readonly leave: () => void;
}

/** Milliseconds after which the first of the line is passed by where it does not take a lock that is free: it may have been killed. */
const passedAfter = 50;

/** Gives a place in the line for the lock at `path`, behind everybody who has one. */
export function createPlace(path: string, isFree: () => boolean): Place {
  const directory = dirname(path);
  const prefix = `.${basename(path)}.since-`;
  const own = basename(temporaryPath(`${path}.since-${String(Date.now()).padStart(15, '0')}`, 'tmp'));
  const passed = new Set<string>();
  let first: string | undefined;
  let idleSince = 0;

  /** Takes its place from the first one where nothing moves; if that is alive it makes its place known again. */
  function passBy(name: string): void {
    const now = performance.now();
    if (name !== first || !isFree()) {
      first = name;
      idleSince = now;
    } else if (now - idleSince > passedAfter) {
      passed.add(name);
      attempt(() => removeIfThere(join(directory, name)));
    }
  }

  return {
    countAhead() {
      const isAhead = (name: string) => name.startsWith(prefix) && name < own && !passed.has(name);
      const line = readdirSync(directory).filter(isAhead).sort();
      if (line[0] !== undefined) passBy(line[0]);
      return line.length;
    },
    keep: () => attempt(() => closeSync(openSync(join(directory, own), 'wx', 0o600))),
    leave: () => attempt(() => removeIfThere(join(directory, own))),
  };
}

/** Nothing that a place is needed for fails because a file could not be made or removed. */
function attempt(change: () => void): void {
  try {
    change();
  } catch (error) {
    errnoOf(error);
  }
}
