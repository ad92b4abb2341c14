// Applies every hint to the public skills, and `--fix` to those that are refused, and writes the result to docs/hints.md.

import { writeFileSync } from 'node:fs';
import type { Diagnostic, SkillProfile } from '../../packages/core/src/diagnostics/diagnostic.ts';
import { parseWithFields } from '../../packages/core/src/format/parse.ts';
import { fixSkill } from '../../packages/core/src/format/write/fix.ts';
import { readCorpus } from '../corpus.ts';
import { count, table } from '../figures.ts';
import { applyHint, type Candidate } from './apply-hint.ts';

const corpus = readCorpus() ?? process.exit(1);
const profiles = ['strict', 'portable'] as const;

/** The result of one kind of hint: how often it was followed, and how often that did not help. */
interface Outcome {
  followed: number;
  failed: number;
}

function diagnose({ text, directory }: Candidate, profile: SkillProfile): readonly Diagnostic[] {
  return parseWithFields(text, { directoryName: directory, profile }).diagnostics;
}

function errorsOf(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  return new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code));
}

function countOf(diagnostics: readonly Diagnostic[], code: string): number {
  return diagnostics.filter((diagnostic) => diagnostic.code === code).length;
}

/** Names the errors that a change brought, and the check itself if it still reports as much as before. */
function findFailures(code: string, before: readonly Diagnostic[], after: readonly Diagnostic[]): readonly string[] {
  const known = errorsOf(before);
  const errors = [...errorsOf(after)].filter((error) => !known.has(error));
  return countOf(after, code) < countOf(before, code) ? errors : [code, ...errors];
}

/** Counts the files that are refused, that `--fix` repairs, that then are only in the wrong directory, and the rest. */
function countRepairs(profile: SkillProfile): readonly number[] {
  let [refused, repaired, misplaced] = [0, 0, 0];
  for (const { content, directory } of corpus) {
    if (errorsOf(diagnose({ text: content, directory }, profile)).size === 0) continue;
    refused += 1;
    const errors = errorsOf(fixSkill(content, { directoryName: directory, profile }).left);
    if (errors.size === 0) repaired += 1;
    else if (errors.size === 1 && errors.has('name-directory-mismatch')) misplaced += 1;
  }
  return [refused, repaired, misplaced, refused - repaired - misplaced];
}

const outcomes = new Map<string, Outcome>();
/** How many hints of each diagnostic could not be followed. */
const left = new Map<string, number>();
/** How many hints revealed further errors, because the frontmatter could not be read before. */
let hidden = 0;

/** Follows every hint under a profile, and counts how that went. */
function followHints(profile: SkillProfile): void {
  for (const { id, content, directory } of corpus) {
    const given = { text: content, directory };
    const before = diagnose(given, profile);
    const isUnread = parseWithFields(content, { directoryName: directory, profile }).fields === undefined;
    for (const diagnostic of before) {
      const { code } = diagnostic;
      const candidates = applyHint(diagnostic, given, profile);
      if (candidates.length === 0) {
        left.set(code, (left.get(code) ?? 0) + 1);
        continue;
      }
      const outcome = outcomes.get(code) ?? { followed: 0, failed: 0 };
      outcomes.set(code, outcome);
      for (const candidate of candidates) {
        outcome.followed += 1;
        const failures = findFailures(code, before, diagnose(candidate, profile));
        if (failures.length === 0) continue;
        if (isUnread && !failures.includes(code)) {
          hidden += 1;
          continue;
        }
        outcome.failed += 1;
        if (process.argv.includes('--failed')) console.log(profile, id, code, diagnostic.message, diagnostic.hint);
      }
    }
  }
}

for (const profile of profiles) followHints(profile);
const rows = profiles.map((profile) => [`\`${profile}\``, ...countRepairs(profile).map(count)]);
const sorted = [...outcomes].sort(([a, one], [b, other]) => other.followed - one.followed || (a < b ? -1 : 1));
const followed = sorted.reduce((sum, [, outcome]) => sum + outcome.followed, 0);
const failed = sorted.reduce((sum, [, outcome]) => sum + outcome.failed, 0);
const isRare = ([, outcome]: readonly [string, Outcome]): boolean => outcome.failed === 0 && outcome.followed < 20;
const link = (code: string): string => `[\`${code}\`](diagnostics.md#${code})`;
const page = `# What hints and \`--fix\` do for skills in the wild

This page shows how many of ${count(corpus.length)} public \`SKILL.md\` files \`--fix\` repairs, and whether the hints of diagnostics help, under the profiles
\`strict\` and \`portable\`.

## \`skillful validate --fix\`

\`--fix\` makes no changes that are guesses. If a name differs from its directory, it leaves the choice to the author, who can change
either. *Only misplaced* counts the files that then have only this error. Two of the collections name directories after the owner or the
title.

${table(['profile', 'refused', 'repaired', 'only misplaced', 'still refused'], rows)}

## Hints

A program did exactly what each hint says, ${count(followed)} times in all. If only the author knows the right words, it used any words that fit. If a
hint offers two ways, both count. A hint *failed* if its check reported as much as before, or if another check reported a new error. This
happened ${count(failed)} times. Another ${count(hidden)} times, the frontmatter could not be read at all before, so its other errors appeared only afterwards.

${table(
  ['diagnostic', 'followed', 'failed'],
  sorted
    .filter((each) => !isRare(each))
    .map(([code, outcome]) => [link(code), count(outcome.followed), count(outcome.failed)]),
)}

These hints never failed, and were followed fewer than 20 times each: ${sorted
  .filter(isRare)
  .map(([code]) => link(code))
  .join(', ')}.

These hints were not followed, because a comment is in the way or the value cannot be replaced alone: ${[...left]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, times]) => `${link(code)} (${count(times)})`)
  .join(', ')}.

This page is written by \`node bench/recovery/hints.ts\`. The files are not part of this repository.
`;
writeFileSync(new URL('../../docs/hints.md', import.meta.url), page);
console.log(page);
