// Formats what validators make of the corpus: who accepts what, in sum and file by file.

import { readFileSync } from 'node:fs';
import type { FormatCase, FormatCorpus, ValidatorVerdict } from '../packages/testing/src/format-corpus.ts';

const profiles = ['strict', 'lenient', 'portable'] as const;

type Outcome = 'accepts' | 'refuses' | 'crashes';

/** What the validators on npm said when `bench/conformance` ran them. */
interface NpmVerdicts {
  readonly validators: Readonly<Record<string, { readonly version: string; readonly call: string }>>;
  /** By the id of the file and the name of the validator. */
  readonly verdicts: Readonly<Record<string, Readonly<Record<string, ValidatorVerdict>>>>;
}

/** One column: a validator, or Skillful under one profile. */
interface Column {
  readonly head: string;
  outcome(entry: FormatCase): Outcome;
}

const npm = JSON.parse(
  readFileSync(new URL('../bench/conformance/verdicts.json', import.meta.url), 'utf8'),
) as NpmVerdicts;

/** Skillful first, then the validators whose verdicts the corpus records, then those on npm. */
function columnsOf({ validators }: FormatCorpus): readonly Column[] {
  return [
    ...profiles.map((profile) => ({
      head: `Skillful, ${profile}`,
      outcome: ({ expected }: FormatCase): Outcome => (expected[profile].loads ? 'accepts' : 'refuses'),
    })),
    ...Object.keys(validators).map((name) => ({
      head: name,
      outcome: ({ validators: verdicts }: FormatCase): Outcome => outcomeOf(verdicts[name]),
    })),
    ...Object.entries(npm.validators).map(([name, { version }]) => ({
      head: `${name} ${version} (npm)`,
      outcome: ({ id }: FormatCase): Outcome => outcomeOf(npm.verdicts[id]?.[name]),
    })),
  ];
}

function outcomeOf(verdict: ValidatorVerdict | undefined): Outcome {
  if (verdict === undefined) throw new Error('A file has no verdict. Run `npm start` in bench/conformance.');
  if (verdict === 'accepts') return 'accepts';
  return verdict === 'crash' ? 'crashes' : 'refuses';
}

/** Lists who refuses which file that passes as portable. */
function formatExceptions(corpus: FormatCorpus): string {
  const portable = corpus.cases.filter(({ expected }) => expected.portable.loads);
  const lines = columnsOf(corpus)
    .slice(profiles.length)
    .map(({ head, outcome }) => {
      const refused = portable.filter((entry) => outcome(entry) !== 'accepts');
      const files = refused.map(({ id, title }) => `${id} (${formatTitle(title)})`);
      return `- ${head}: ${files.length === 0 ? 'none' : files.join(', ')}`;
    });
  return lines.join('\n');
}

/** Formats how many files each validator accepts, also for the README of the package. */
export function formatConformanceSummary(corpus: FormatCorpus): string {
  const { cases } = corpus;
  const rows = columnsOf(corpus).map(({ head, outcome }) => {
    const count = (meant: Outcome): number => cases.filter((entry) => outcome(entry) === meant).length;
    return [head, count('accepts'), count('refuses'), count('crashes')];
  });
  return formatTable([`of ${cases.length} files`, 'accepts', 'refuses', 'crashes'], rows);
}

/** The section on the corpus of attacks: the cases that are not answered, or not tested, exactly as they are written. */
const hostileCases = readFileSync(new URL('hostile-cases.md', import.meta.url), 'utf8');

/** Formats docs/conformance.md. */
export function formatConformanceDocument(corpus: FormatCorpus): string {
  const columns = columnsOf(corpus);
  const rows = corpus.cases.map((entry) => [
    entry.id,
    formatTitle(entry.title),
    ...columns.map(({ outcome }) => outcome(entry)),
    codesOf(entry)
      .map((code) => `[${code}](diagnostics.md#${code})`)
      .join(' '),
  ]);
  const table = formatTable(['id', 'file', ...columns.map(({ head }) => head), 'what Skillful says'], rows);
  const recorded = Object.entries(corpus.validators).map(([name, about]) => `- \`${name}\`: ${about}.`);
  const run = Object.entries(npm.validators).map(
    ([name, { version, call }]) => `- \`${name}\` ${version}: \`${call}\`.`,
  );
  return `# Conformance

This page shows how validators judge the ${corpus.cases.length} files of the corpus that [\`@skillful/testing\`](../packages/testing/README.md) publishes.

Skillful accepts a file if no diagnostic is an error. The profile \`strict\` follows the text of the specification, \`lenient\` loads whatever
can be understood, and \`portable\` is for skills that should work everywhere.

Two validators are Python programs, and the corpus records their verdicts. \`python3 bench/conformance/check.py\` runs both again on
every file and reports differences:

${recorded.join('\n')}

\`npm start\` in \`bench/conformance\` runs these packages on every file. If a package has no \`validate\`, it accepts a file if it loads it:

${run.join('\n')}

[Diagnostics](diagnostics.md) also names clients under *Refused by*. These clients were not run; what they refuse was read from their
source code or documentation.

${formatConformanceSummary(corpus)}

These files pass as \`portable\`, but a validator still does not accept them:

${formatExceptions(corpus)}

This page is written by \`npx -y pnpm@12 exec node scripts/conformance.ts\`.

${hostileCases}
## File by file

${table}
`;
}

function codesOf({ expected }: FormatCase): readonly string[] {
  return [...new Set(profiles.flatMap((profile) => expected[profile].codes))].sort();
}

function formatTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A title as text of a table's cell, whatever Markdown would make of its characters. */
function formatTitle(title: string): string {
  return title.replaceAll(/[\\`*_<>|[\]#&]/gu, (character) => `\\${character}`);
}
