// The table of who accepts which file says what the corpus and the recorded runs say, and the README sums it up.

import { describe, expect, it } from 'vitest';
import { readFormatCorpus } from '../packages/testing/src/format-corpus.ts';
import { formatConformanceDocument, formatConformanceSummary } from '../scripts/conformance-table.ts';
import { readDocument } from './documents.ts';

const corpus = await readFormatCorpus();

describe('the conformance table', () => {
  it('is written to docs/conformance.md, by `npx -y pnpm@12 exec node scripts/conformance.ts`', () => {
    expect(readDocument('docs/conformance.md')).toBe(formatConformanceDocument(corpus));
  });

  it('is summed up in the README of the package', () => {
    expect(readDocument('packages/testing/README.md')).toContain(`\n\n${formatConformanceSummary(corpus)}\n\n`);
  });

  it('counts every file once for each validator', () => {
    const rows = formatConformanceSummary(corpus).split('\n').slice(2);
    const sums = rows.map((row) => (row.match(/\d+(?= \|)/gu) ?? []).reduce((sum, count) => sum + Number(count), 0));
    expect(sums).toEqual(rows.map(() => corpus.cases.length));
  });
});
