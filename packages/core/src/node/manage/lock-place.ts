// Whoever waits for a lock comes before those who come later: a file for each who waits, whose name says since when.
// It is a matter of politeness only: the lock alone decides who works, so a place that is lost or wrong costs nothing else.

import { closeSync, mkdirSync, openSync, readdirSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { attempt } from '../disk/file-system.ts';
import { removeLeftovers, temporaryPath } from '../disk/leftovers.ts';
import { removeIfThere } from '../disk/write.ts';

export interface Place {
  /** Counts those who came before; needed again before each attempt. */
  readonly countAhead: () => number;
  /** Makes the place known to others, also anew where it was lost. */
  readonly keep: () => void;
  readonly leave: () => void;
}

/** Milliseconds after which the first of the line is passed by where it does not take a lock that is free: it may have been killed. */
const passedAfter = 50;

/**
 * Gives a place in the line for the lock at `path`, behind everybody who has one. The line is a directory of its own, which is
 * there while somebody waits, so that nobody reads what else is beside the lock.
 */
export function createPlace(path: string, isFree: () => boolean): Place {
  const line = `${path}.line`;
  const own = basename(temporaryPath(join(line, `since-${String(Date.now()).padStart(15, '0')}`), 'tmp'));
  const passed = new Set<string>();
  let isKept = false;
  let first: string | undefined;
  let idleSince = 0;

  function namesAhead(): readonly string[] {
    let names: readonly string[] = [];
    attempt(() => {
      names = readdirSync(line);
    });
    return names.filter((name) => name.startsWith('.since-') && name < own && !passed.has(name)).sort();
  }

  /** Takes the places of the first where nothing moves; those who are alive make theirs known again. */
  function passBy(ahead: readonly string[]): void {
    const now = performance.now();
    if (ahead[0] !== first || !isFree()) {
      first = ahead[0];
      idleSince = now;
    } else if (now - idleSince > passedAfter) {
      // As many as have been passed by: a hundred who were killed together take a third of a second.
      for (const name of ahead.slice(0, Math.max(passed.size, 1))) {
        passed.add(name);
        attempt(() => removeIfThere(join(line, name)));
      }
    }
  }

  return {
    countAhead() {
      const ahead = namesAhead();
      if (ahead.length > 0) passBy(ahead);
      return ahead.length;
    },
    keep() {
      isKept = true;
      attempt(() => {
        mkdirSync(line, { recursive: true, mode: 0o700 });
        closeSync(openSync(join(line, own), 'wx', 0o600));
      });
    },
    leave() {
      if (!isKept) return;
      attempt(() => removeIfThere(join(line, own)));
      // By a clock that was set back others may have come before those who are gone.
      removeLeftovers(line);
      // Refused while others wait.
      attempt(() => rmdirSync(line));
    },
  };
}
