// Writes stories for people: a transcript of each, and a table of all.

import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { styleText } from 'node:util';
import { type Diagnostic, formatDiagnostic } from '@skillful/core';
import type { Disclosure, Story } from './story.ts';

const dim = (text: string): string => style('dim', text);
const bold = (text: string): string => style('bold', text);

function style(format: 'dim' | 'bold' | 'cyan' | 'green' | 'red', text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** Formats what was found on the disk, with what is to be said about it. */
export function formatCatalog({ catalog: { skills, diagnostics } }: Story): string {
  const width = Math.max(...skills.map(({ name }) => name.length));
  return [
    bold(`Found ${count(skills.length, 'skill')}`),
    ...skills.map(
      ({ name, description }) => `  ${style('cyan', name.padEnd(width))}  ${shorten(description, 90 - width)}`,
    ),
    ...diagnostics.map((diagnostic) => dim(indent(formatProblem(diagnostic), '  '))),
  ].join('\n');
}

function formatProblem(diagnostic: Diagnostic): string {
  return formatDiagnostic({ ...diagnostic, location: relative(process.cwd(), diagnostic.location) });
}

/** Formats one run: what the model was told, what it asked for, what it answered. */
export function formatStory({ framework, offline, disclosures, answer }: Story): string {
  const model = offline ? 'the offline stand-in' : 'a real model';
  return [
    `${bold(framework)} ${dim(`with ${model}`)}`,
    ...disclosures.map((disclosure) => `  ${describe(disclosure)} ${dim(cost(disclosure))}`),
    indent(answer, '  │ '),
  ].join('\n');
}

function describe({ tier, subject, text }: Disclosure): string {
  if (tier === 'activation') return `activated ${style('cyan', subject)}`;
  if (tier === 'resource') return `read      ${style('cyan', subject)}`;
  return `was told  ${text === '' ? 'nothing, as there are no skills' : 'the catalog'}`;
}

function cost({ tokens, milliseconds }: Disclosure): string {
  return `(${tokens} tokens, ${milliseconds.toFixed(1)} ms)`;
}

/** Formats the closing table: framework × tier, and a digest of everything that the model was told. */
export function formatTable(stories: readonly Story[]): string {
  const tiers = ['catalog', 'activation', 'resource'] as const;
  const rows = [
    ['', ...tiers, 'digest of the texts'],
    ...stories.map((story) => [story.framework, ...tiers.map((tier) => total(story, tier)), digest(story)]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const isNumber = column > 0 && column <= tiers.length;
      return isNumber ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
    });
    return `  ${cells.join('   ')}`.trimEnd();
  });
  const [header = '', ...body] = lines;
  const note =
    '  Milliseconds are those of the core, without framework and model. The first framework also pays for warm-up.';
  return [dim(header), ...body, dim(note)].join('\n');
}

function total({ disclosures }: Story, tier: Disclosure['tier']): string {
  const told = disclosures.filter((disclosure) => disclosure.tier === tier);
  if (told.length === 0) return '–';
  const tokens = told.reduce((sum, disclosure) => sum + disclosure.tokens, 0);
  const milliseconds = told.reduce((sum, disclosure) => sum + disclosure.milliseconds, 0);
  return `${tokens} tokens ${milliseconds.toFixed(1).padStart(6)} ms`;
}

function digest({ disclosures }: Story): string {
  const texts = disclosures.map(({ tier, subject, text }) => [tier, subject, text]);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}

/** Formats the verdict on `findDifferences`. */
export function formatVerdict(stories: readonly Story[], differences: readonly string[]): string {
  if (differences.length > 0) return style('red', `They differ: ${differences.join(', ')}.`);
  const bytes = Buffer.byteLength(stories[0]?.disclosures.map(({ text }) => text).join('') ?? '');
  const names = stories.map(({ framework }) => framework).join(', ');
  if (stories.every(({ offline }) => offline)) {
    return style('green', `${names} told the model the same ${bytes.toLocaleString('en')} bytes.`);
  }
  return style('green', `${names} told the model the same bytes wherever it asked for the same.`);
}

/**
 * Names what was told in different words: anything that two of them told, and offline, where all ask for the same,
 * anything that one of them did not tell.
 */
export function findDifferences(stories: readonly Story[]): string[] {
  const all = stories.flatMap(({ disclosures }) => disclosures);
  const subjects = new Set(all.map(({ tier, subject }) => `${tier} ${subject}`.trim()));
  const offline = stories.every((story) => story.offline);
  return [...subjects].filter((name) => {
    const told = all.filter(({ tier, subject }) => `${tier} ${subject}`.trim() === name);
    return new Set(told.map(({ text }) => text)).size > 1 || (offline && told.length !== stories.length);
  });
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}

function indent(text: string, margin: string): string {
  return text
    .split('\n')
    .map((line) => `${margin}${line}`.trimEnd())
    .join('\n');
}
