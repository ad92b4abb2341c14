// The document of the diagnostics is made of the pages that the command line prints.

import { expect, it } from 'vitest';
import { formatDiagnosticDocument } from '../scripts/diagnostic-document.ts';
import { readDocument } from './documents.ts';

it('docs/diagnostics.md explains every code, by `npx -y pnpm@12 exec node scripts/diagnostics.ts`', () => {
  expect(readDocument('docs/diagnostics.md')).toBe(formatDiagnosticDocument());
});
