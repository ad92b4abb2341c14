// Applies every hint to the public skills, and `--fix` to those that are refused, and writes the result to docs/hints.md.

import { writeFileSync } from 'node:fs';
import type { Diagnostic, SkillProfile } from '../../packages/core/src/diagnostics/diagnostic.ts';
import { parseWithFields } from '../../packages/core/src/format/parse.ts';
import { fixSkill } from '../../packages/core/src/format/write/fix.ts';
import { readCorpus } from '../corpus.ts';
import { applyHint, type Candidate } from './apply-hint.ts';

const corpus = readCorpus() ?? process.exit(1);
const profiles = ['strict', 'portable'] as const;

/** The result of one kind of hint: how often it was followed, and how often that did not help. */
interface Outcome {
  followed: number;
  failed: number;
}

const format = (number: number): string => number.toLocaleString('en');

function diagnose({ text, directory }: Candidate, profile: SkillProfile): readonly Diagnostic[] {
  return parseWithFields(text, { directoryName: directory, profile }).diagnostics;
}

function errorsOf(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  return new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code));
}

function countOf(diagnostics: readonly Diagnostic[], code: string): number {
  return diagnostics.filter((diagnostic) => diagnostic.code === code).length;
}

/** A hint helps if its check has one thing less to report, and no other check has a new error. */
function helps(code: string, before: readonly Diagnostic[], after: readonly Diagnostic[]): boolean {
  const known = errorsOf(before);
  return countOf(after, code) < countOf(before, code) && [...errorsOf(after)].every((error) => known.has(error));
}

const outcomes = new Map<string, Outcome>();
const authors = new Map<string, number>();
const rows: string[] = [];
for (const profile of profiles) {
  let refused = 0;
  let repaired = 0;
  let misplaced = 0;
  for (const { id, content, directory } of corpus) {
    const given = { text: content, directory };
    const before = diagnose(given, profile);
    if (errorsOf(before).size > 0) {
      refused += 1;
      const left = errorsOf(fixSkill(content, { directoryName: directory, profile }).left);
      if (left.size === 0) repaired += 1;
      else if (left.size === 1 && left.has('name-directory-mismatch')) misplaced += 1;
    }
    for (const diagnostic of before) {
      const { code } = diagnostic;
      const candidates = applyHint(diagnostic, given, profile);
      if (candidates === undefined || candidates.length === 0) {
        authors.set(code, (authors.get(code) ?? 0) + 1);
        continue;
      }
      const outcome = outcomes.get(code) ?? { followed: 0, failed: 0 };
      outcomes.set(code, outcome);
      for (const candidate of candidates) {
        outcome.followed += 1;
        if (helps(code, before, diagnose(candidate, profile))) continue;
        outcome.failed += 1;
        if (process.argv.includes('--failed')) console.log(profile, id, code, diagnostic.message, diagnostic.hint);
      }
    }
  }
  const counts = [refused, repaired, misplaced, refused - repaired - misplaced].map(format);
  rows.push(`| \`${profile}\` | ${counts.join(' | ')} |`);
}

const sorted = [...outcomes].sort(([a, one], [b, other]) => other.followed - one.followed || (a < b ? -1 : 1));
const followed = sorted.reduce((sum, [, outcome]) => sum + outcome.followed, 0);
const failed = sorted.reduce((sum, [, outcome]) => sum + outcome.failed, 0);
const link = (code: string): string => `[\`${code}\`](diagnostics.md#${code})`;
const page = `# What hints and \`--fix\` do for skills in the wild

Measured with ${format(corpus.length)} public \`SKILL.md\` files under \`strict\` and \`portable\`.

## \`skillful validate --fix\`

It changes what needs no guess. A name that differs from its directory is left to the author, who can change either; *only
misplaced* counts the files that have no other error afterwards. Two of the collections name directories after the owner or the
title.

| profile | refused | repaired | only misplaced | still refused |
| --- | --: | --: | --: | --: |
${rows.join('\n')}

## Hints

A program did exactly what each hint says, ${format(followed)} times. A hint *failed* if its check reported the same again, or if another
check had a new error: ${format(failed)} times. If a hint offers two ways, both count.

| diagnostic | followed | failed |
| --- | --: | --: |
${sorted.map(([code, outcome]) => `| ${link(code)} | ${format(outcome.followed)} | ${format(outcome.failed)} |`).join('\n')}

Not followed, because they need words that only the author knows, or because comments are in the way: ${[...authors]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([code, count]) => `${link(code)} (${format(count)})`)
  .join(', ')}.

This page is written by \`node bench/recovery/hints.ts\`. The files are not part of this repository.
`;
writeFileSync(new URL('../../docs/hints.md', import.meta.url), page);
console.log(page);
