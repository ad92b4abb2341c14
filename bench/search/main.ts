// Measures every engine on every set in one run and writes docs/search-quality.md: `npm start`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { engines } from './engines.ts';
import { type Figures, measure } from './metrics.ts';
import { formatReport, type Row } from './report.ts';
import { readSets } from './sets.ts';

const only = process.argv.includes('--own');
const given = process.argv.find((argument) => argument.startsWith('--queries='))?.split('=')[1];
const sets = readSets(given === undefined ? Number.POSITIVE_INFINITY : Number(given));
if (sets === undefined) process.exit(1);

const rows: Row[] = [];
for (const { name, index, isSlow = false } of only ? engines.slice(0, 1) : engines) {
  console.error(name);
  const start = performance.now();
  const search = { all: index(sets.documents.all), cut: index(sets.documents.cut), tools: index(sets.documents.tools) };
  const indexing = performance.now() - start;
  const figures = new Map<string, Figures>();
  for (const { name: set, documents, queries } of sets.sets) {
    const asked = isSlow ? queries.filter((_, at) => at % 10 === 0) : queries;
    figures.set(set, await measure(search[documents], asked));
  }
  rows.push({ name, isSlow, indexing, figures });
}
const report = formatReport(sets, rows);
console.log(report);
if (!only) writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'search-quality.md'), report);
