// Writes the figures as a page.

import type { Figures } from './metrics.ts';
import type { Sets } from './sets.ts';

export interface Row {
  readonly name: string;
  readonly isSlow: boolean;
  /** Milliseconds for the three indexes, two of all skills and one of the tools. */
  readonly indexing: number;
  /** By set. */
  readonly figures: ReadonlyMap<string, Figures>;
}

const share = (value: number): string => value.toFixed(3).replace(/^0/u, '');
const milliseconds = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

/** Formats the page: one table of all sets, and one for each. */
export function formatReport({ sets, documents }: Sets, rows: readonly Row[]): string {
  const mean = ({ figures }: Row, key: keyof Figures): number =>
    [...figures.values()].reduce((sum, each) => sum + each[key], 0) / Math.max(1, figures.size);
  const first = rows[0];
  const overview = rows.map((row) => [
    `${row.name}${row.isSlow ? ' *' : ''}`,
    ...sets.map(({ name }) => {
      const figures = row.figures.get(name);
      return figures === undefined ? '' : `${share(figures.recall5)} / ${share(figures.ndcg10)}`;
    }),
    `${share(mean(row, 'recall5'))} / ${share(mean(row, 'ndcg10'))}`,
    `${(row.indexing / (first?.indexing ?? 1) || 0).toFixed(1)} ×`,
  ]);
  const details = sets.flatMap(({ name, about, queries }) => [
    `### ${name}: ${about}`,
    '',
    `${queries.length} queries.`,
    '',
    ...table(
      ['engine', 'recall@1', 'recall@5', 'recall@10', 'nDCG@10', 'MRR', 'no result', 'p50 ms', 'p95 ms'],
      rows.map((row) => {
        const of = row.figures.get(name);
        if (of === undefined) return [row.name];
        const { recall1, recall5, recall10, ndcg10, mrr, zero, p50, p95 } = of;
        return [
          `${row.name}${row.isSlow ? ' *' : ''}`,
          ...[recall1, recall5, recall10, ndcg10, mrr, zero].map(share),
          ...[p50, p95].map(milliseconds),
        ];
      }),
    ),
    '',
  ]);
  return [
    '# How good the search is',
    '',
    `How often [search](search.md) finds the right one of ${documents.all.length} skills, beside other engines in the same run. \`npm --prefix bench/search start\` writes this page.`,
    'The queries are a part of those that there are, and the parameters were tuned on them: read the figures as training figures.',
    '',
    '## All sets',
    '',
    'Recall@5 / nDCG@10. Index time is a multiple of that of Skillful.',
    '',
    ...table(['engine', ...sets.map(({ name }) => name), 'mean', 'index time'], overview),
    '',
    '\\* Measured on every tenth query, because it is slow. `fuse.js` is given the first 30 characters.',
    '',
    '## Each set',
    '',
    ...details,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)];
}
