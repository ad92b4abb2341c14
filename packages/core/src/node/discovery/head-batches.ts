// Reads the heads of all directories in one, slice by slice, and proves a slice at once where the directories stood still.

import { waitForDescriptors } from '../disk/descriptors.ts';
import type { Slices } from '../disk/slices.ts';
import { createPrefetch } from './prefetch.ts';
import type { SkillHeadReader, SkillHeadResult } from './skill-head.ts';
import type { CandidateDirectory } from './skill-stamp.ts';
import type { Standstill } from './standstill.ts';

/** A directory and what it turned out to be. */
export interface SkillHeadLook<Candidate extends CandidateDirectory> {
  readonly candidate: Candidate;
  readonly result: SkillHeadResult;
}

export interface HeadBatchesOptions<Candidate extends CandidateDirectory> {
  readonly count: number;
  readonly candidateAt: (index: number) => Candidate;
  readonly readSkill: SkillHeadReader;
  readonly slices: Slices;
  /** Of the directory that the candidates are in, from before their names were read; without it each is proven by itself. */
  readonly standstill: Standstill | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Gives every candidate in its order, proven; a batch is what was read in one slice. */
export async function* readHeadBatches<Candidate extends CandidateDirectory>(
  options: HeadBatchesOptions<Candidate>,
): AsyncGenerator<readonly SkillHeadLook<Candidate>[], void> {
  const { count, candidateAt, readSkill, slices, signal } = options;
  const prefetch = createPrefetch(count, (index) => candidateAt(index).real);
  let { standstill } = options;
  let looks: SkillHeadLook<Candidate>[] = [];

  function look(candidate: Candidate, proof: 'now' | 'later'): SkillHeadResult | Promise<SkillHeadResult> {
    return waitForDescriptors(() => readSkill(candidate, proof), signal);
  }

  /** Gives what was read since the last time; reads it again under a proof of its own where something has moved. */
  async function prove(): Promise<readonly SkillHeadLook<Candidate>[]> {
    const batch = looks;
    looks = [];
    const observed = standstill;
    if (observed === undefined || (await waitForDescriptors(() => observed.holds(), signal))) return batch;
    standstill = undefined;
    const again: SkillHeadLook<Candidate>[] = [];
    for (const { candidate } of batch) {
      if (slices.isOver()) await slices.rest();
      again.push({ candidate, result: await look(candidate, 'now') });
    }
    return again;
  }

  for (let index = 0; index < count; index += 1) {
    if (slices.isOver()) {
      yield await prove();
      await slices.rest();
    }
    const fetching = prefetch.before(index);
    if (fetching !== undefined) await fetching;
    const candidate = candidateAt(index);
    const result = look(candidate, standstill === undefined ? 'now' : 'later');
    // To wait for each of thousands costs more than to read it.
    looks.push({ candidate, result: result instanceof Promise ? await result : result });
  }
  yield await prove();
}
