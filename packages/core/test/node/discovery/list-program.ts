// Lists a root, reads all its skills at once and writes how many there were. With `exhausted`, no descriptor is left at first.

import { closeSync, openSync } from 'node:fs';
import { fileSource } from '../../../src/node/discovery/file-source.ts';

const [, , root = '', state] = process.argv;
const held: number[] = [];
try {
  while (state === 'exhausted') held.push(openSync(root, 'r'));
} catch {
  setTimeout(() => {
    for (const descriptor of held) closeSync(descriptor);
  }, 100);
}
const source = fileSource(root);
const { entries } = await source.list();
const texts = await Promise.all(entries.map((entry) => source.readFile(entry, 'SKILL.md')));
process.stdout.write(`${entries.length} ${texts.length}`);
