// Draws how times grow with the number of skills, on logarithmic axes: what grows linearly is a line of 45 degrees.

import type { SpeedFigures } from './speed.ts';

const [left, top, wide, high] = [70, 20, 420, 300] as const;
const decades = 5;
const series = [
  { key: 'indexing', label: 'index all', colour: '#0b6e4f' },
  { key: 'minisearch', label: 'index all, minisearch', colour: '#8a94a0' },
  { key: 'loading', label: 'load what was saved', colour: '#66b395' },
  { key: 'long', label: 'query of 300 words, p95', colour: '#b35c00' },
  { key: 'short', label: 'query of up to 30 words, p95', colour: '#e0a458' },
] as const;

const x = (skills: number): number => left + ((Math.log10(skills) - 3) / 2) * wide;
const y = (ms: number): number => top + high - ((Math.log10(Math.max(ms, 0.1)) + 1) / decades) * high;

/** Returns an SVG with a line for each time. */
export function drawGrowth(figures: readonly SpeedFigures[]): string {
  const grid = Array.from({ length: decades + 1 }, (_, at) => {
    const ms = 10 ** (at - 1);
    return `<path d="M${left} ${y(ms)}h${wide}" stroke="#d8dde3"/><text x="${left - 8}" y="${y(ms) + 4}" text-anchor="end">${ms.toLocaleString('en-US')} ms</text>`;
  });
  const sizes = figures.map(
    ({ skills }) =>
      `<text x="${x(skills)}" y="${top + high + 20}" text-anchor="middle">${skills.toLocaleString('en-US')} skills</text>`,
  );
  const lines = series.flatMap(({ key, label, colour }) => {
    const points = figures.map((each) => `${x(each.skills).toFixed(1)},${y(each[key]).toFixed(1)}`);
    const end = figures.at(-1)?.[key] ?? 1;
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      `<text x="${left + wide + 10}" y="${y(end) + 4}" fill="${colour}">${label}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + wide + 210} ${top + high + 40}" font-family="sans-serif" font-size="13" fill="#1f2328">`,
    '<title>Times of the search by the number of skills, on logarithmic axes</title>',
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...grid,
    ...sizes,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}
