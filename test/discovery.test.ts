// The table of clients in the documents is the table that presets are made of.

import { expect, it } from 'vitest';
import { formatClientTable } from '../scripts/client-table.ts';
import { readDocument } from './documents.ts';

it('docs/discovery.md lists every client as the presets have it, by `npx -y pnpm@12 exec node scripts/discovery.ts`', () => {
  expect(readDocument('docs/discovery.md')).toContain(`\n\n${formatClientTable()}\n`);
});
