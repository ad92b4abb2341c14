// Writes what the page says beside the quality. Texts about what was measured once are in Markdown files beside this one.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { count, table } from '../figures.ts';
import type { BandFigures } from './bands.ts';
import type { BodyFigures } from './bodies.ts';
import type { SpeedFigures } from './speed.ts';
import { freshUnanswered, unanswered, unansweredStories } from './unanswered.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const milliseconds = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));

/** The section on search by meaning. */
export const byMeaning: string = readSection('by-meaning.md');

/** The section on rules that were tried and not taken. */
export const notTaken: string = readSection('not-taken.md');

/** Reads a text about what was measured once. */
function readSection(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8');
}

/** Formats the section on the bands, with the figures of each index. */
export function formatBands(figures: ReadonlyMap<string, readonly BandFigures[]>): readonly string[] {
  const names = [...new Set([...figures.values()].flat().flatMap(({ lost }) => [...lost.keys()]))];
  return [
    '## Bands',
    '',
    `\`find_skills\` leaves out matches of the band \`none\`. Four columns show how many queries without an answer get \`none\`. "Off topic" has ${unanswered.length}`,
    `questions about daily life. "Stories" has ${unansweredStories.length} requests from daily life in 25 to 35 words. "Fresh" has ${freshUnanswered.length} of both kinds, on which nothing was tuned.`,
    '"Taken out" has queries whose answer was removed from the skills, so that only skills with similar topics are left. The "lost" columns show',
    'the cost: the share of queries that get `none` although their skill is among the first five.',
    '',
    table(
      ['found by', 'skills', 'off topic', 'stories', 'fresh', 'taken out', ...names.map((name) => `lost: ${name}`)],
      [...figures].flatMap(([way, sizes]) =>
        sizes.map(({ skills, offTopic, stories, fresh, heldOut, lost }) => [
          way,
          count(skills),
          ...[offTopic, stories, fresh, heldOut].map(percent),
          ...names.map((name) => (lost.has(name) ? percent(lost.get(name) ?? 0) : '')),
        ]),
      ),
    ),
    '',
    readSection('limits.md'),
  ];
}

/** Formats the section on instructions. */
export function formatBodies(figures: BodyFigures | undefined): readonly string[] {
  if (figures === undefined) return [];
  const { skills, without, with: all } = figures;
  const both = ({ recall5, ndcg10 }: typeof all): string =>
    `${recall5.toFixed(3).slice(1)} / ${ndcg10.toFixed(3).slice(1)}`;
  const { mean, error } = all.ahead;
  return [
    '## Instructions',
    '',
    `${all.queries} "use when" sentences search for the right one of ${count(skills)} skills. With \`readBodies\`, recall@5 / nDCG@10 is ${both(all)}; without it,`,
    `${both(without)}. The difference in recall@5 is ${mean.toFixed(3)} ± ${error.toFixed(3)}. Instructions may repeat the sentence that was cut out.`,
    'Questions that no skill answers get `none` equally often: 94.0 % of the questions about daily life with bodies, 92.5 % without, measured once on 1,834 skills.',
    '',
  ];
}

/** Formats the section on speed. */
export function formatSpeed(figures: readonly SpeedFigures[]): readonly string[] {
  return [
    '## Speed',
    '',
    '![Times by the number of skills](search-growth.svg)',
    '',
    'All times are milliseconds. Each is the fastest of several runs, because other work on the machine can only make a run slower. Up to 10,000',
    'skills come from the pool. Larger catalogs combine its names with other descriptions of it.',
    '',
    table(
      ['skills', 'index', 'minisearch indexes', 'load saved', 'of indexing', 'p95, up to 30 words', 'p95, 300 words'],
      figures.map(({ skills, indexing, minisearch, loading, short, long }) => [
        count(skills),
        ...[indexing, minisearch, loading].map(milliseconds),
        percent(loading / indexing),
        ...[short, long].map(milliseconds),
      ]),
    ),
    '',
    'The targets are: to index in at most the time of minisearch, to load in 5 % of the time of indexing, to answer 10,000 skills in 1 ms and 4 ms, and to grow at most linearly.',
    '',
  ];
}
