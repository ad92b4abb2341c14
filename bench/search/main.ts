// Measures every engine on every set in one run and writes docs/search-quality.md with its chart: `npm start`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSkillIndex, hybridIndex } from '../../packages/core/src/index.ts';
import { measureBands } from './bands.ts';
import { measureBodies } from './bodies.ts';
import { drawChart } from './chart.ts';
import { type Engine, engines, sentences, skillful, timeout } from './engines.ts';
import { drawGrowth } from './growth-chart.ts';
import { type Figures, measure, type Search } from './metrics.ts';
import { formatReport, type Row } from './report.ts';
import { byMeaning, formatBands, formatBodies, formatSpeed, notTaken } from './sections.ts';
import { embedBySentences } from './sentence-vectors.ts';
import { type QuerySet, readSets, takeEvenly } from './sets.ts';
import { measureSpeed } from './speed.ts';
import { embedByWords } from './word-vectors.ts';

const isOwnOnly = process.argv.includes('--own');
const withoutSentences = process.argv.includes('--without-sentences');
const given = process.argv.find((argument) => argument.startsWith('--queries='))?.split('=')[1];
const sets = readSets(given === undefined ? Number.POSITIVE_INFINITY : Number(given));
if (sets === undefined) process.exit(1);
const { documents } = sets;

type Searches = Readonly<Record<QuerySet['documents'], Search>>;

/** Indexes all documents, and says how long the second time took, when the code was warm. */
async function indexAll({ index }: Engine): Promise<{ readonly search: Searches; readonly time: number }> {
  const tools = await index(documents.tools);
  const all = await index(documents.all);
  const start = performance.now();
  const cut = await index(documents.cut);
  return { search: { all, cut, tools }, time: performance.now() - start };
}

const speed = measureSpeed(sets);
// With all queries, because few answers are lost.
const every = readSets(Number.POSITIVE_INFINITY) ?? sets;
const bands = new Map([
  ['words', await measureBands(every, createSkillIndex)],
  ['words and word vectors', await measureBands(every, hybridIndex({ embed: embedByWords, timeout }))],
]);
if (!withoutSentences) {
  bands.set('words and sentences', await measureBands(every, hybridIndex({ embed: embedBySentences, timeout })));
}
const bodies = formatBodies(await measureBodies(every));
const sections = [...formatBands(bands), ...bodies, byMeaning, ...formatSpeed(speed)];
if (isOwnOnly) console.log(sections.join('\n'));
const rows: Row[] = [];
for (const engine of isOwnOnly ? [skillful] : engines) {
  const { name, most = Number.POSITIVE_INFINITY } = engine;
  if (withoutSentences && name === sentences) continue;
  const start = performance.now();
  const own = await indexAll(skillful);
  const { search, time } = await indexAll(engine);
  const figures = new Map<string, Figures>();
  for (const { name: set, documents, queries } of sets.sets) {
    figures.set(set, await measure(search[documents], own.search[documents], takeEvenly(queries, most)));
  }
  rows.push({
    name,
    isPartial: sets.sets.some(({ queries }) => queries.length > most),
    indexTime: time,
    ownIndexTime: own.time,
    figures,
  });
  console.error(`${name}: ${Math.round((performance.now() - start) / 1000)} s`);
}
const report = formatReport(sets, rows, sections, notTaken);
console.log(report);
if (!isOwnOnly) {
  const docs = join(import.meta.dirname, '..', '..', 'docs');
  writeFileSync(join(docs, 'search-quality.md'), report);
  writeFileSync(join(docs, 'search-quality.svg'), drawChart(rows));
  writeFileSync(join(docs, 'search-growth.svg'), drawGrowth(speed));
}
