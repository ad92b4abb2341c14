// Lists a root and reads every skill of it at once, and writes how many there were.

import { fileSource } from '../../src/node/file-source.ts';

const [, , root = ''] = process.argv;
const source = fileSource(root);
const { entries } = await source.list();
const texts = await Promise.all(entries.map((entry) => source.readFile(entry, 'SKILL.md')));
process.stdout.write(`${entries.length} ${texts.length}`);
