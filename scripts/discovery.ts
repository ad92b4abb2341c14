// Writes the table of clients into docs/discovery.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { formatClientTable } from './client-table.ts';

const document = new URL('../docs/discovery.md', import.meta.url);
const text = readFileSync(document, 'utf8').replace(/^\| client \|.*\n(?:\|.*\n)*/mu, () => formatClientTable());
writeFileSync(document, text);
