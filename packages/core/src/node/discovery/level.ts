// A directory on the way of a scan, and the directories in it.

import { prefixOf } from '../disk/contained-file.ts';
import type { CandidateDirectory } from './skill-stamp.ts';

/** A directory that a scan comes to. */
export interface Level extends CandidateDirectory {
  /** Levels below the root, which has level 0. */
  readonly level: number;
}

/** Creates a function that joins a directory and the names in it. */
export function levelsBelow({ directory: outer, real: realOuter, level }: Level): (name: string) => Level {
  const prefix = prefixOf(outer);
  const realPrefix = prefixOf(realOuter);
  return (name) => {
    const real = realPrefix + name;
    // Without links, both are the same string, which saves memory for every skill.
    const directory = outer === realOuter ? real : prefix + name;
    return { directory, real, level: level + 1 };
  };
}
