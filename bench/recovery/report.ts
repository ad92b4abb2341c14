// Writes docs/recovery.md from what was measured.

import { count, table } from '../figures.ts';

/** How one loader did on one collection. */
export interface Score {
  readonly loaded: number;
  readonly described: number;
}

export interface Collection {
  readonly name: string;
  readonly files: number;
  readonly described: number;
  /** By loader, in the order of the columns. */
  readonly scores: readonly Score[];
}

export interface Loader {
  readonly name: string;
  readonly version: string;
  readonly how: string;
  readonly exceptions: number;
}

export interface Measurement {
  readonly date: string;
  readonly loaders: readonly Loader[];
  readonly collections: readonly Collection[];
  readonly total: Collection;
  readonly reasons: readonly { readonly code: string; readonly files: number; readonly described: number }[];
  readonly repairs: readonly { readonly code: string; readonly files: number }[];
  /** Files that some other loader loads and this one does not, with this one's reasons. */
  readonly missed: readonly {
    readonly id: string;
    readonly loaders: readonly string[];
    readonly codes: readonly string[];
  }[];
  readonly profiles: { readonly strict: number; readonly portable: number };
}

/** Writes the page; the same measurement always gives the same text. */
export function formatReport(measured: Measurement): string {
  const { date, loaders, collections, total, reasons, repairs, missed, profiles } = measured;
  const percent = (part: number, whole: number): string =>
    whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
  const names = loaders.map(({ name }) => name);
  const line = (collection: Collection): readonly string[] => [
    collection.name,
    count(collection.files),
    count(collection.described),
    ...collection.scores.map(
      ({ loaded, described }) => `${count(loaded)} (${percent(described, collection.described)})`,
    ),
  ];
  return `# How many public skills load

This page shows how many of ${count(total.files)} public \`SKILL.md\` files each loader loads. Each file was in its own root as \`<directory>/SKILL.md\`, and
one run on ${date} gave it to every loader. *Described* counts the files in which a human finds a description: a line near the start is
labelled as a description and has text after it, however broken the fences and the YAML around it are. Every file has a name, because
it has a directory. Each cell shows how many files a loader loads, and in parentheses their share of the described files.

A program rewrote \`tomevault\` and translated \`AgentWorkers\`. The other collections are as people keep them.

${table(['collection', 'files', 'described', ...names], [...collections.map(line), line(total)])}

${table(
  ['loader', 'version', 'exceptions', 'called as'],
  loaders.map(({ name, version, exceptions, how }) => [name, version, count(exceptions), how]),
)}

@mastra/core rejects every skill whose name differs from its directory. Two of the collections name directories
after the owner or the title. This explains most of the files that @mastra/core leaves out.

Skillful uses its \`lenient\` profile here. Of the same files, ${count(profiles.strict)} (${percent(profiles.strict, total.files)}) pass
\`strict\` and ${count(profiles.portable)} (${percent(profiles.portable, total.files)}) pass \`portable\`.

## Why the rest does not load

${table(
  ['diagnostic', 'files', 'described'],
  reasons.map(({ code, files, described }) => [
    `[\`${code}\`](diagnostics.md#${code})`,
    count(files),
    count(described),
  ]),
)}

Files that Skillful does not load, but another loader does: ${count(missed.length)}.${missed.map(({ id, loaders: others, codes }) => `\n- \`${id}\` (${codes.join(', ')}): ${others.join(', ')}`).join('')}

## What was recovered

Each of these diagnostics is a warning that says what Skillful assumed.

${table(
  ['diagnostic', 'files'],
  repairs.map(({ code, files }) => [`[\`${code}\`](diagnostics.md#${code})`, count(files)]),
)}

This page is written by \`npm install && npm start\` in \`bench/recovery\`. The files are not part of this repository.
`;
}
