// Draws how good each engine is as bars, so that the page shows at a glance what its tables say.

import { meanOf, type Row } from './report.ts';

const left = 250;
const wide = 440;
const barHeight = 12;
const rowHeight = 34;
const top = 46;
const series = [
  { key: 'recall5', label: 'recall@5', own: '#0b6e4f', other: '#8a94a0' },
  { key: 'ndcg10', label: 'nDCG@10', own: '#66b395', other: '#c3c9d0' },
] as const;

/** Returns an SVG with two bars for each engine, the best engine first. */
export function drawChart(rows: readonly Row[]): string {
  const sorted = rows.toSorted((a, b) => meanOf(b, 'recall5') - meanOf(a, 'recall5'));
  const longest = Math.max(...sorted.map((row) => meanOf(row, 'recall5')));
  const height = top + sorted.length * rowHeight + 10;
  const bars = sorted.flatMap((row, index) => {
    const y = top + index * rowHeight;
    const isOwn = row === rows[0];
    const name = `<text x="${left - 10}" y="${y + 16}" text-anchor="end"${isOwn ? ' font-weight="bold"' : ''}>${row.name}</text>`;
    return [
      name,
      ...series.flatMap(({ key, own, other }, at) => {
        const value = meanOf(row, key);
        const length = ((value / longest) * wide).toFixed(1);
        const barY = y + at * (barHeight + 1);
        return [
          `<rect x="${left}" y="${barY}" width="${length}" height="${barHeight}" fill="${isOwn ? own : other}"/>`,
          `<text x="${left + Number(length) + 6}" y="${barY + 10}" font-size="11">${value.toFixed(3).slice(1)}</text>`,
        ];
      }),
    ];
  });
  const legend = series.flatMap(({ label, own, other }, at) => [
    `<rect x="${left + at * 110}" y="16" width="12" height="12" fill="${own}"/>`,
    `<rect x="${left + at * 110 + 14}" y="16" width="12" height="12" fill="${other}"/>`,
    `<text x="${left + at * 110 + 32}" y="26">${label}</text>`,
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + wide + 60} ${height}" font-family="sans-serif" font-size="13" fill="#1f2328">`,
    '<title>Mean recall@5 and nDCG@10 over five sets of queries</title>',
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...legend,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}
