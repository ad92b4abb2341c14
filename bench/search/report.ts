// Writes the figures as a page.

import { count, table } from '../figures.ts';
import { type Figures, percentile } from './metrics.ts';
import type { Sets } from './sets.ts';

export interface Row {
  readonly name: string;
  /** Measured on fewer queries than there are, because it is slow. */
  readonly isPartial: boolean;
  /** Milliseconds to index all skills. */
  readonly indexTime: number;
  /** Milliseconds that Skillful needs for the same, just before. */
  readonly ownIndexTime: number;
  /** By set. */
  readonly figures: ReadonlyMap<string, Figures>;
}

const share = (value: number): string => value.toFixed(3).replace(/^0/u, '');
const lead = ({ mean, error }: Figures['ahead']): string =>
  `${mean < 0 ? '−' : '+'}${share(Math.abs(mean))} ± ${share(error)}`;
const milliseconds = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const times = (value: number): string => `${milliseconds(value)} ×`;
const nameOf = ({ name, isPartial }: Row): string => `${name}${isPartial ? ' *' : ''}`;

/** Returns the mean over all sets, each of which counts the same. */
export function meanOf({ figures }: Row, key: 'recall5' | 'ndcg10'): number {
  return [...figures.values()].reduce((sum, each) => sum + each[key], 0) / Math.max(1, figures.size);
}

/** Formats the page: one table of all sets, further sections, one table for each set, and the sections for the end. */
export function formatReport(
  { sets, documents }: Sets,
  rows: readonly Row[],
  sections: readonly string[],
  last: string,
): string {
  const overview = rows.map((row) => {
    const all = [...row.figures.values()];
    const ratio = (part: number): number =>
      percentile(
        all.flatMap(({ times }) => times),
        part,
      ) /
      percentile(
        all.flatMap(({ otherTimes }) => otherTimes),
        part,
      );
    return [
      nameOf(row),
      ...sets.map(({ name }) => {
        const figures = row.figures.get(name);
        return figures === undefined ? '' : `${share(figures.recall5)} / ${share(figures.ndcg10)}`;
      }),
      `${share(meanOf(row, 'recall5'))} / ${share(meanOf(row, 'ndcg10'))}`,
      ...(row === rows[0] ? ['1', '1', '1'] : [row.indexTime / row.ownIndexTime, ratio(0.5), ratio(0.95)].map(times)),
    ];
  });
  const details = sets.flatMap(({ name, about }) => [
    `### ${name}: ${about}`,
    '',
    table(
      [
        'engine',
        'queries',
        'recall@1',
        'recall@5',
        'recall@10',
        'nDCG@10',
        'MRR',
        'no result',
        'p50 ms',
        'p95 ms',
        'ahead at 5',
      ],
      rows.map((row) => {
        const of = row.figures.get(name);
        if (of === undefined) return [row.name];
        const { queries, recall1, recall5, recall10, ndcg10, mrr, zero, ahead } = of;
        return [
          nameOf(row),
          `${queries}`,
          ...[recall1, recall5, recall10, ndcg10, mrr, zero].map(share),
          ...[percentile(of.times, 0.5), percentile(of.times, 0.95)].map(milliseconds),
          row === rows[0] ? '' : lead(ahead),
        ];
      }),
    ),
    '',
  ]);
  return [
    '# How good the search is',
    '',
    `This page shows how often [search](search.md) finds the right one of ${count(documents.all.length)} skills, compared with other engines in the same run. \`npm --prefix bench/search start\` writes it.`,
    'The queries are a sample, and the parameters of Skillful were tuned on them. So read the figures as training figures.',
    '',
    '![Mean recall@5 and nDCG@10 of each engine](search-quality.svg)',
    '',
    '## All sets',
    '',
    'The cells show recall@5 / nDCG@10. The mean counts each set the same. Times are multiples of the times of Skillful, which indexes the same skills',
    'and answers the same queries in turn with each engine. The machine did other work, too, so trust the ratios, not the milliseconds.',
    '',
    table(['engine', ...sets.map(({ name }) => name), 'mean', 'index', 'p50', 'p95'], overview),
    '',
    '\\* This engine is slow, so it was measured on fewer queries. Compare it by "ahead at 5" in the tables below. `fuse.js` gets the first 30',
    'characters of a query. Each engine has the best settings that we found; `bench/search/engines.ts` shows them.',
    '',
    ...sections,
    '## Each set',
    '',
    '"Ahead at 5" says how much higher the recall@5 of an engine is than that of Skillful on the same queries, with the standard error of the difference.',
    '',
    ...details,
    last,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
