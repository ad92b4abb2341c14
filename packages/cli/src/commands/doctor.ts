// `skillful doctor` shows for every folder whether the model sees the skill, and what to do if not.

import { basename, dirname } from 'node:path';
import { type Catalog, hasErrors, resolveSkill } from '@skillful/core';
import type { Command } from 'commander';
import { describeCut, type Finding, findingsOf } from '../checking/findings.ts';
import { findFlatSkillsIn } from '../checking/flat.ts';
import { findLostFiles } from '../checking/lost-files.ts';
import { findDeepSkills, findNestedSkills, findTwins, skillFolders } from '../checking/overlooked.ts';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { findSkill, isCalled } from '../loading/find.ts';
import { addSkillOptions, type JsonOptions } from '../loading/options.ts';
import { describeVerdict, findIdleRules } from '../loading/policy.ts';
import { type LoadedSkills, loadSkills } from '../loading/skills.ts';
import {
  createDiagnosticWriter,
  foldRepeated,
  unprovenContainment,
  writeDiagnostics,
  writeSourceProblems,
} from '../terminal/diagnostics.ts';
import { count, showPath, writeJson } from '../terminal/output.ts';
import { createStylist } from '../terminal/style.ts';
import { padText } from '../terminal/table.ts';
import { terminalProse } from '../terminal/text.ts';

/** Defines the command `doctor`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addSkillOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful doctor commit-messages')
    .action(async (name: string | undefined, options: JsonOptions) => answer(await doctor(name, options, io)));
}

async function doctor(name: string | undefined, options: JsonOptions, io: CommandLine): Promise<ExitCode> {
  const loaded = await loadSkills(options, io);
  const { catalog } = loaded;
  // Under a stricter profile, discovery already reports these files.
  const known = new Set(catalog.diagnostics.map(({ message, location }) => message + location));
  const twins = skillFolders(catalog)
    .flatMap((skill) => findTwins({ ...skill, source: skill.source.id }, 'lenient'))
    .filter(({ message, location }) => !known.has(message + location));
  const lost = await Promise.all(catalog.skills.map((skill) => findLostFiles(skill.source, skill)));
  const deep = await findDeepSkills(catalog, options, io);
  const flat = findFlatSkillsIn(loaded.sources);
  const diagnostics = [
    ...catalog.diagnostics,
    ...findNestedSkills(catalog),
    ...twins,
    ...lost.flat(),
    ...deep,
    ...flat,
  ];
  const all = findingsOf({ ...loaded, catalog: { ...catalog, diagnostics } });
  const findings = name === undefined ? all : all.filter((finding) => isMeant(finding, name, catalog));
  if (name !== undefined && findings.length === 0) findSkill(catalog, name, io);
  writeSourceProblems(loaded, io);
  writeDiagnostics(catalog.diagnostics.filter(({ code }) => code === unprovenContainment).slice(0, 1), io);
  if (options.json === true) writeJson({ skills: findings }, io);
  // The policy may be about skills that are elsewhere.
  else writeFindings(findings, name === undefined && options.root.length === 0 ? findIdle(loaded) : [], io);
  if (name !== undefined) return findings.some(({ offered }) => offered) ? 0 : 1;
  return hasErrors(catalog.diagnostics) ? 1 : 0;
}

function isMeant({ name: found, location }: Finding, name: string, catalog: Catalog): boolean {
  // A skill that is a file without a directory is found as `mail.md`.
  const names = [found, found.replace(/\.md$/iu, ''), basename(dirname(location))];
  if (names.some((own) => isCalled(own, name))) return true;
  const resolution = resolveSkill(catalog, name);
  return resolution.kind === 'found' && resolution.skill.location === location;
}

function findIdle({ catalog: { skills, shadowed }, policy }: LoadedSkills): readonly number[] {
  return findIdleRules(policy, [...skills, ...shadowed.map(({ skill }) => skill)]);
}

function writeFindings(findings: readonly Finding[], idleRules: readonly number[], io: CommandLine): void {
  const style = createStylist(io.stdout, io);
  const write = createDiagnosticWriter(io.stdout, io);
  // Skills that are not offered come last, because at a terminal, the end is seen first.
  for (const finding of findings.toSorted((a, b) => Number(b.offered) - Number(a.offered))) {
    const { name, location, offered, diagnostics } = finding;
    const offer = style(offered ? 'green' : 'yellow', padText(offered ? 'offered' : 'not offered', 11));
    io.stdout.write(`${offer}  ${terminalProse(name)}  ${style('dim', showPath(location, io.cwd))}\n`);
    const lines = explain(finding);
    for (const line of lines) io.stdout.write(`${terminalProse(line)}\n`);
    for (const diagnostic of foldRepeated(diagnostics)) write(diagnostic);
    if (lines.length > 0 || diagnostics.length > 0) io.stdout.write('\n');
  }
  const cuts = findings.filter(({ shown }) => describeCut(shown) !== undefined).length;
  if (cuts > 0) io.stdout.write('`skillful prompt --json` shows what each skill costs.\n');
  for (const rule of idleRules)
    io.stdout.write(`Rule ${rule} of the policy applies to no skill here. Check its spelling.\n`);
  const offered = findings.filter((finding) => finding.offered).length;
  const short = cuts === 0 ? '' : `, ${cuts} of them only in part`;
  io.stdout.write(`${count(findings.length, 'skill folder')}, ${offered} offered to the model${short}.\n`);
}

/** Returns what its diagnostics do not say about a folder: why the model does not see it, or not all of it. */
function explain({ reason, policy, shown, diagnostics }: Finding): readonly string[] {
  const verdict = policy === null ? undefined : describeVerdict(policy);
  const reported = new Set(diagnostics.map(({ message }) => message));
  const lines = [reason, verdict, describeCut(shown)].filter((line) => typeof line === 'string');
  return [...new Set(lines)].filter((line) => !reported.has(line));
}
