// Formats what validators make of the corpus: who accepts what, file by file and in sum.

import type { FormatCase, FormatCorpus, ValidatorVerdict } from '../packages/testing/src/format-corpus.ts';

const profiles = ['strict', 'lenient', 'portable'] as const;

type Outcome = 'accepts' | 'refuses' | 'crashes';

/** One column: a validator, or this project under one profile. */
interface Column {
  readonly head: string;
  outcome(entry: FormatCase): Outcome;
}

function columnsOf({ validators }: FormatCorpus): readonly Column[] {
  return [
    ...profiles.map((profile) => ({
      head: `Skillful, ${profile}`,
      outcome: ({ expected }: FormatCase): Outcome => (expected[profile].loads ? 'accepts' : 'refuses'),
    })),
    ...Object.keys(validators).map((name) => ({
      head: name,
      outcome: ({ validators: verdicts }: FormatCase): Outcome => outcomeOf(verdicts[name] ?? 'crash'),
    })),
  ];
}

function outcomeOf(verdict: ValidatorVerdict): Outcome {
  if (verdict === 'accepts') return 'accepts';
  return verdict === 'crash' ? 'crashes' : 'refuses';
}

/** Formats how many files each validator accepts, as it stands in the README of the package. */
export function formatConformanceSummary(corpus: FormatCorpus): string {
  const { cases } = corpus;
  const rows = columnsOf(corpus).map(({ head, outcome }) => {
    const count = (meant: Outcome): number => cases.filter((entry) => outcome(entry) === meant).length;
    return [head, count('accepts'), count('refuses'), count('crashes')];
  });
  return formatTable([`of ${cases.length} files`, 'accepts', 'refuses', 'crashes'], rows);
}

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
  const notes = Object.entries(corpus.validators).map(([name, about]) => `- \`${name}\`: ${about}.`);
  return `# Conformance

What validators make of the files of the corpus that [\`@skillful/testing\`](../packages/testing/README.md) publishes. Each file
was handed to each of them, and the verdict written down.

${notes.join('\n')}
- Skillful accepts where no diagnostic is an error: \`strict\` is the text of the specification, \`lenient\` whatever can be
  loaded, \`portable\` what every known validator accepts.

${formatConformanceSummary(corpus)}

No file passes as portable that one of the other two refuses. This page is written by \`node scripts/conformance.ts\`.

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
