// Everything that one run measures, as the page is written from it. Types only.

import type { AdapterStart } from './adapters.ts';
import type { Activations } from './loads.ts';
import type { Tree } from './measure-tree.ts';
import type { Steps } from './steps.ts';

/** What the heavy loads cost. */
export interface Loads {
  readonly activations: Activations;
  readonly switches: { readonly processes: number; readonly each: number; readonly p99: number };
}

/** Everything that was measured. */
export interface Benchmark {
  readonly date: string;
  readonly cores: number;
  readonly node: string;
  readonly versions: ReadonlyMap<string, string>;
  /** All files of the corpus, those that people wrote, those that every loader reads; empty without the corpus. */
  readonly real: readonly Tree[];
  readonly generated: readonly Tree[];
  readonly steps: Steps;
  readonly loads: Loads;
  readonly adapters: readonly AdapterStart[];
}
