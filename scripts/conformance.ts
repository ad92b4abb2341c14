// Writes docs/conformance.md, and the summary in the README of the package, from the corpus and the verdicts on npm.

import { readFileSync, writeFileSync } from 'node:fs';
import { readFormatCorpus } from '../packages/testing/src/format-corpus.ts';
import { formatConformanceDocument, formatConformanceSummary } from './conformance-table.ts';

const corpus = await readFormatCorpus();
writeFileSync(new URL('../docs/conformance.md', import.meta.url), formatConformanceDocument(corpus));

const readme = new URL('../packages/testing/README.md', import.meta.url);
const summary = formatConformanceSummary(corpus);
const text = readFileSync(readme, 'utf8').replace(/^\| of \d+ files \|.*\n(?:\|.*\n)*/mu, () => `${summary}\n`);
writeFileSync(readme, text);
