// Runs validators over 300 public skills, each alone in a root of its own, and writes docs/validators.md.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSkill } from '@skill-tools/core';
import { validate } from 'skills-ref';
import { parseSkill as parseOwn } from '../../packages/core/src/format/parse.ts';
import { fixSkill } from '../../packages/core/src/format/write/fix.ts';
import { readCorpus } from '../corpus.ts';
import { table } from '../figures.ts';
import { filesSkippedBySkills, installedVersion, runPeer } from '../peers.ts';

const here = import.meta.dirname;
const corpus = readCorpus() ?? process.exit(1);
const wanted = 300;
const step = Math.floor(corpus.length / wanted);
const sample = corpus.filter((_skill, index) => index % step === 0).slice(0, wanted);

/** What a validator says of one skill: whether it accepts it, and how many of its findings name a line below the first. */
interface Verdict {
  readonly accepted: boolean;
  readonly findings: number;
  readonly placed: number;
}

type Verdicts = ReadonlyMap<string, Verdict>;

function layOut(): string {
  const base = mkdtempSync(join(tmpdir(), 'skillful-validators-'));
  for (const { id, directory, content } of sample) {
    mkdirSync(join(base, id, directory), { recursive: true });
    writeFileSync(join(base, id, directory, 'SKILL.md'), content);
  }
  return base;
}

interface Finding {
  readonly severity: string;
  readonly line?: number | undefined;
}

function verdictOf(findings: readonly Finding[]): Verdict {
  const accepted = findings.every(({ severity }) => severity !== 'error');
  return { accepted, findings: findings.length, placed: findings.filter(({ line = 0 }) => line > 1).length };
}

function judgeByOwn(profile: 'strict' | 'lenient' | 'portable'): Verdicts {
  return new Map(
    sample.map(({ id, directory, content }) => {
      const { diagnostics } = parseOwn(content, { directoryName: directory, profile });
      return [id, verdictOf(diagnostics)] as const;
    }),
  );
}

async function judgeEach(
  base: string,
  judge: (root: string, directory: string) => Promise<Verdict>,
): Promise<Verdicts> {
  const verdicts = new Map<string, Verdict>();
  for (const { id, directory } of sample) {
    verdicts.set(id, await judge(join(base, id), directory).catch(() => ({ accepted: false, findings: 1, placed: 0 })));
  }
  return verdicts;
}

function judgeByReference(base: string): Promise<Verdicts> {
  return judgeEach(base, async (root, directory) => {
    const problems = await validate(join(root, directory));
    return verdictOf(problems.map(() => ({ severity: 'error' })));
  });
}

function judgeBySkillTools(base: string): Promise<Verdicts> {
  return judgeEach(base, async (root, directory) => {
    const { ok, diagnostics } = await parseSkill(join(root, directory, 'SKILL.md'));
    const verdict = verdictOf(diagnostics);
    return { ...verdict, accepted: ok && verdict.accepted };
  });
}

function judgeBySkillCheck(base: string): Verdicts {
  const { output } = runPeer(here, 'skill-check/bin/skill-check.js', [
    'check',
    base,
    '--format',
    'json',
    '--no-security-scan',
  ]);
  const { diagnostics }: { diagnostics: (Finding & { readonly file: string })[] } = JSON.parse(
    output.slice(output.indexOf('{')),
  );
  return new Map(
    sample.map(({ id }) => [id, verdictOf(diagnostics.filter(({ file }) => file.split('/').includes(id)))] as const),
  );
}

/** What `skills` would install: it skips the others. */
function judgeBySkills(base: string): Verdicts {
  const skipped = filesSkippedBySkills(here, base);
  return new Map(
    sample.map(({ id, directory }) => {
      const isSkipped = skipped.has(join(base, id, directory, 'SKILL.md'));
      return [id, verdictOf(isSkipped ? [{ severity: 'error' }] : [])] as const;
    }),
  );
}

const base = layOut();
const fixedByPeer = layOut();
const fixedHere = layOut();
try {
  const withVersion = (name: string): string => `${name} ${installedVersion(here, name)}`;
  const before = await judgeByReference(base);
  const columns: readonly (readonly [string, Verdicts])[] = [
    ['Skillful, strict', judgeByOwn('strict')],
    ['Skillful, lenient', judgeByOwn('lenient')],
    ['Skillful, portable', judgeByOwn('portable')],
    [withVersion('skills-ref'), before],
    [withVersion('@skill-tools/core'), await judgeBySkillTools(base)],
    [withVersion('skill-check'), judgeBySkillCheck(base)],
    [withVersion('skills'), judgeBySkills(base)],
  ];
  runPeer(here, 'skill-check/bin/skill-check.js', [
    'check',
    fixedByPeer,
    '--fix',
    '--format',
    'json',
    '--no-security-scan',
  ]);
  for (const { id, directory, content } of sample) {
    const { text } = fixSkill(content, { directoryName: directory, profile: 'portable' });
    writeFileSync(join(fixedHere, id, directory, 'SKILL.md'), text);
  }
  const [afterPeer, afterHere] = [await judgeByReference(fixedByPeer), await judgeByReference(fixedHere)];
  const countAccepted = (verdicts: Verdicts): number =>
    sample.filter(({ id }) => verdicts.get(id)?.accepted === true).length;
  const rows = columns.map(([name, verdicts]) => {
    const all = [...verdicts.values()];
    const sum = (of: (verdict: Verdict) => number): number => all.reduce((total, verdict) => total + of(verdict), 0);
    const accepted = countAccepted(verdicts);
    return [name, accepted, wanted - accepted, sum(({ findings }) => findings), sum(({ placed }) => placed)].map(
      String,
    );
  });
  const page = `# 300 public skills and their validators

This page compares what validators say about one in ${step} of 10,000 public files. Each file was in its own root as \`<directory>/SKILL.md\`.
*Placed* counts the findings that name a line below the first. \`skills\` is an installer; the files that it skips count as refused.

${table(['validator', 'accepts', 'refuses', 'findings', 'placed'], rows)}

\`skills-ref\` accepts ${countAccepted(before)} of the files. After \`skillful validate --fix --profile portable\`, it accepts ${countAccepted(afterHere)}, after
\`skill-check --fix\` ${countAccepted(afterPeer)}. Two of the collections name directories after the owner or the title. If a name
differs from its directory in more than its spelling, Skillful leaves the choice to the author.

The [README of the CLI](../packages/cli/README.md#dependencies) shows how long the validators take to start.

This page is written by \`npm install && node wild.ts\` in \`bench/conformance\`. The files are not part of this repository.
`;
  writeFileSync(new URL('../../docs/validators.md', import.meta.url), page);
  console.log(page);
} finally {
  for (const directory of [base, fixedByPeer, fixedHere]) rmSync(directory, { recursive: true, force: true });
}
