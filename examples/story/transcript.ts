// Writes stories for people: a transcript of each, and a table of all, at most 80 columns wide.

import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { styleText } from 'node:util';
import { type Catalog, formatDiagnostic, type SkillEvent } from '@skillful/core';
import { findDifferences, type Story, textsOf } from './story.ts';

const width = 80;

const dim = (text: string): string => style('dim', text);
const bold = (text: string): string => style('bold', text);

function style(format: 'dim' | 'bold' | 'cyan' | 'green' | 'red', text: string): string {
  return styleText(format, text, { stream: process.stdout });
}

/** Formats what was found on the disk, with what is to be said about it. */
export function formatCatalog({ skills, diagnostics }: Catalog): string {
  const nameWidth = Math.max(0, ...skills.map(({ name }) => name.length));
  const problems = diagnostics.map((diagnostic) =>
    formatDiagnostic({ ...diagnostic, location: relative(process.cwd(), diagnostic.location) }),
  );
  return [
    bold(`Found ${skills.length} skills`),
    ...skills.map(
      ({ name, description }) =>
        `  ${style('cyan', name.padEnd(nameWidth))}  ${shorten(description, width - nameWidth - 4)}`,
    ),
    ...problems.map((problem) => dim(wrap(problem, '  '))),
  ].join('\n');
}

/** Formats one run: what the model saw, activated, read and answered. */
export function formatStory({ framework, answer, events, turns }: Story): string {
  const model = turns.length > 0 ? 'the stand-in, which is no real model' : 'a real model';
  const lines = events.flatMap((event) => describe(event) ?? []);
  return [`${bold(framework)} ${dim(`with ${model}`)}`, ...new Set(lines), wrap(answer, '  │ ')].join('\n');
}

function describe(event: SkillEvent): string | undefined {
  const cost = dim(`(${event.tokens} tokens)`);
  switch (event.type) {
    case 'offered':
      return `  saw       ${style('cyan', `${event.skills} names and descriptions`)} ${cost}`;
    case 'activated':
      return `  activated ${style('cyan', event.skill)} ${cost}`;
    case 'resource-read':
      return `  read      ${style('cyan', `${event.skill}/${event.path}`)} ${cost}`;
    default:
      return undefined;
  }
}

/** Formats the closing table: what the model read in each framework, in tokens, and a digest of the texts. */
export function formatTable(stories: readonly Story[]): string {
  const columns = ['catalog', 'activation', 'resource', 'all tokens'];
  const nameWidth = Math.max(...stories.map(({ framework }) => framework.length));
  const head = [''.padEnd(nameWidth), ...columns, 'digest of the texts'].join('  ');
  const rows = stories.map((story) => {
    const costs = [total(story, 'offered'), total(story, 'activated'), total(story, 'resource-read')];
    const cells = [...costs, costs.reduce((sum, cost) => sum + cost, 0)].map((cost, index) =>
      cost.toLocaleString('en').padStart(columns[index]?.length ?? 0),
    );
    return `  ${[story.framework.padEnd(nameWidth), ...cells, digest(story)].join('  ')}`;
  });
  return [dim(`  ${head}`), ...rows].join('\n');
}

/** Sums up what one kind of event added to the context; the catalog counts once, although each model call has it. */
function total({ events }: Story, type: SkillEvent['type']): number {
  const costs = events.filter((event) => event.type === type).map(({ tokens }) => tokens);
  return type === 'offered' ? (costs[0] ?? 0) : costs.reduce((sum, cost) => sum + cost, 0);
}

function digest(story: Story): string {
  if (story.turns.length === 0) return 'unknown';
  const texts = JSON.stringify([...textsOf(story)]);
  return createHash('sha256').update(texts).digest('hex').slice(0, 16);
}

/** Formats the verdict: whether all frameworks told the model the same. */
export function formatVerdict(stories: readonly Story[]): string {
  if (stories.some(({ turns }) => turns.length === 0)) {
    return 'Real models ask for different things. Without API keys, the demo compares every byte.';
  }
  const differences = findDifferences(stories);
  if (differences.length > 0) return style('red', wrap(`They differ: ${differences.join(', ')}.`, ''));
  const texts = stories[0] === undefined ? [] : [...textsOf(stories[0]).values()];
  const bytes = Buffer.byteLength([...new Set(texts)].join(''));
  const names = stories.map(({ framework }) => framework).join(', ');
  return style('green', `${names} told the model the same ${bytes.toLocaleString('en')} bytes.`);
}

function shorten(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}

/** Breaks lines at spaces, and puts a margin before each. */
function wrap(text: string, margin: string): string {
  const room = width - margin.length;
  const lines = text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${room}}(?= |$)|\\S+|^$`, 'g')) ?? []);
  return lines.map((line) => `${margin}${line.trimStart()}`.trimEnd()).join('\n');
}
