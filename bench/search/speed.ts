// Measures how fast the index in memory is, from 1,000 to 100,000 skills: the targets are ratios and milliseconds of one query.

import MiniSearch from 'minisearch';
import { createSkillIndex } from '../../packages/core/src/index.ts';
import { skillOf } from './engines.ts';
import { percentile } from './metrics.ts';
import { type Described, type Sets, takeEvenly } from './sets.ts';

export interface SpeedFigures {
  readonly skills: number;
  /** Milliseconds to index all, here and in minisearch, and to load what was saved. */
  readonly indexing: number;
  readonly minisearch: number;
  readonly loading: number;
  /** 95th percentiles in milliseconds: queries of up to 30 words, and descriptions of a task in 300 words. */
  readonly short: number;
  readonly long: number;
}

const rounds = 5;

/** The fastest of some runs, because whatever disturbs a run only makes it slower. */
function fastest(work: () => unknown, times = rounds): number {
  const runs = Array.from({ length: times }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...runs);
}

export function measureSpeed({ documents: { all }, sets }: Sets): readonly SpeedFigures[] {
  const words = all.flatMap(({ description }) => description.split(/\s+/u));
  const queries = sets.flatMap(({ queries }) => queries.map(({ query }) => query));
  const short = takeEvenly(
    queries.filter((query) => query.split(/\s+/u).length <= 30),
    400,
  );
  const long = Array.from({ length: 100 }, (_, at) => {
    const start = (at * 7_919) % (words.length - 300);
    return words.slice(start, start + 300).join(' ');
  });
  return [1_000, 10_000, 100_000].map((size) => {
    const documents = multiply(all, size);
    const skills = documents.map(skillOf);
    const index = createSkillIndex(skills);
    const saved = index.save();
    const slowest = (queries: readonly string[]): number =>
      percentile(
        queries.map((query) => fastest(() => index.search(query))),
        0.95,
      );
    return {
      skills: size,
      indexing: fastest(() => createSkillIndex(skills)),
      minisearch: fastest(
        () => new MiniSearch({ fields: ['name', 'description'] }).addAll(documents),
        size > 10_000 ? 1 : rounds,
      ),
      loading: fastest(() => createSkillIndex(skills, { saved }), 3 * rounds),
      short: slowest(short),
      long: slowest(long),
    };
  });
}

/** Makes more skills than there are: names of one with descriptions of another. */
function multiply(all: readonly Described[], size: number): readonly Described[] {
  return Array.from({ length: size }, (_, at) => {
    const one = all[at % all.length];
    const round = Math.floor(at / all.length);
    const other = all[(at + round * 1_009) % all.length];
    const { id = '', name = '' } = one ?? {};
    return {
      id: `${id}-${round}`,
      name: round === 0 ? name : `${name}-${round}`,
      description: other?.description ?? '',
    };
  });
}
