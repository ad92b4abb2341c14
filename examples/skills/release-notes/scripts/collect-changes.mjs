#!/usr/bin/env node
// Prints the commits between two points of a git history as Markdown, grouped by their conventional type.
import { execFileSync } from 'node:child_process';

const USAGE =
  'usage: collect-changes.mjs [from] [to]\n  from  a tag or commit; the latest tag when left out\n  to    HEAD when left out\n';
const TITLES = new Map([
  ['breaking', 'Breaking changes'],
  ['feat', 'New'],
  ['fix', 'Fixed'],
  ['perf', 'Faster'],
  ['security', 'Security'],
  ['docs', 'Documentation'],
  ['other', 'Other (most of these a user will not notice)'],
]);

if (process.argv.includes('--help')) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

function latestTag() {
  try {
    return git('describe', '--tags', '--abbrev=0').trim();
  } catch {
    return undefined;
  }
}

function readCommits(from, to) {
  const range = from === undefined ? to : `${from}..${to}`;
  const separators = { field: '\u001f', commit: '\u001e' };
  const log = git('log', '--no-merges', '--format=%h%x1f%s%x1f%b%x1e', range, '--');
  return log
    .split(separators.commit)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => {
      const [hash, subject, body = ''] = text.split(separators.field);
      return { hash, subject, body };
    });
}

function classify({ subject, body }) {
  const match = /^(?<type>[a-z]+)(?:\((?<scope>[^)]*)\))?(?<bang>!)?: (?<text>.+)$/.exec(subject);
  const note = /^BREAKING[ -]CHANGE: (?<text>.+)$/m.exec(body)?.groups.text;
  const { type = 'other', scope, bang, text = subject } = match?.groups ?? {};
  const kind = bang !== undefined || note !== undefined ? 'breaking' : TITLES.has(type) ? type : 'other';
  return { kind, scope, text, note };
}

const [from = latestTag(), to = 'HEAD'] = process.argv.slice(2);
let commits;
try {
  commits = readCommits(from, to);
} catch {
  process.stderr.write(
    `Cannot read the history from ${from ?? 'the beginning'} to ${to}. Is this a git repository, and do both exist?\n`,
  );
  process.exit(1);
}

const groups = new Map([...TITLES.keys()].map((kind) => [kind, []]));
for (const commit of commits) {
  const { kind, scope, text, note } = classify(commit);
  const prefix = scope === undefined ? '' : `**${scope}**: `;
  groups.get(kind).push(`- ${prefix}${text} (${commit.hash})${note === undefined ? '' : `\n  ${note}`}`);
}

const sections = [...groups]
  .filter(([, lines]) => lines.length > 0)
  .map(([kind, lines]) => `## ${TITLES.get(kind)}\n\n${lines.join('\n')}`);
process.stdout.write(
  `# Changes from ${from ?? 'the beginning'} to ${to}: ${commits.length}\n\n${sections.join('\n\n')}\n`,
);
