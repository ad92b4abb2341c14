// Prints the result of a check: for people, for programs and for code scanning services.

import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Diagnostic, SkillProfile } from '@skillful/core';
import { findProject } from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { isSkillFile } from '../loading/skill-file.ts';
import { createDiagnosticWriter, foldRepeated } from '../terminal/diagnostics.ts';
import { count, showPath, writeJson, writeText } from '../terminal/output.ts';
import { createStylist } from '../terminal/style.ts';
import { type CheckedSkill, standardInput } from './check-file.ts';
import { planFix } from './fix.ts';

/** The formats of a report. */
export const reportFormats = ['text', 'json', 'sarif', 'github'] as const;

/** One of them. */
export type ReportFormat = (typeof reportFormats)[number];

/** The result of a check. */
export interface Report {
  readonly skills: readonly CheckedSkill[];
  readonly ok: boolean;
  readonly profile: SkillProfile;
  /** The working directory. */
  readonly directory: string;
  readonly milliseconds: number;
  /** Shows only errors and the summary. */
  readonly quiet: boolean;
}

/** Writes a report to standard output. */
export async function writeReport(report: Report, format: ReportFormat, io: CommandLine): Promise<void> {
  const { directory, ok, profile } = report;
  if (format === 'text') {
    writeForPeople(report, io);
  } else if (format === 'json') {
    const skills = report.skills.map((skill) => {
      const { location, name, ok } = skill;
      return { location, name, ok, diagnostics: shownOf(skill, report) };
    });
    writeJson({ ok, profile, skills }, io);
  } else {
    const found = report.skills.flatMap((skill) => shownOf(skill, report));
    const place = pathsInRepository(directory);
    const placed = found.map((each) => ({ ...each, location: place(each.location) }));
    if (format === 'sarif') {
      // Loaded only here, because it loads the documentation of all codes.
      writeJson((await import('./sarif.ts')).createLog(placed), io);
    } else {
      // Exact text, because these are workflow commands.
      writeText(placed.map((diagnostic) => `${formatAnnotation(diagnostic)}\n`).join(''), io);
      writeSummary(report, planFixes(report), io);
    }
  }
}

/** Returns a function for the paths that scanning services expect: relative to the repository, with slashes, never empty. */
function pathsInRepository(directory: string): (location: string) => string {
  // The repository of the working directory may contain others, such as submodules.
  const pathInOwn = pathsFrom(directory);
  return (location) => {
    if (location === standardInput) return location;
    const path = pathInOwn(location) ?? pathsFrom(dirname(location))(location) ?? relative(directory, location);
    return join(path).replaceAll(sep, '/');
  };
}

/** Returns a function for paths in the repository that contains `base`; it returns `undefined` for a location outside. */
function pathsFrom(base: string): (location: string) => string | undefined {
  const { root, directories } = findProject(base);
  const isRepository = existsSync(join(root, '.git'));
  // Locations begin with the directory as it was given, which may be a link.
  const below = relative(root, directories[0] ?? root);
  return (location) => {
    const path = join(below, relative(base, location));
    return isRepository && path.split(sep)[0] !== '..' ? path : undefined;
  };
}

/** Returns the findings of a skill that are printed. */
function shownOf({ diagnostics }: CheckedSkill, { quiet }: Report): readonly Diagnostic[] {
  return quiet ? diagnostics.filter(({ severity }) => severity === 'error') : diagnostics;
}

/** The findings of each skill that `--fix` would fix. */
type Fixes = ReadonlyMap<CheckedSkill, readonly Diagnostic[]>;

function planFixes({ skills, profile }: Report): Fixes {
  const found = skills.filter(({ diagnostics }) => diagnostics.length > 0);
  return new Map(found.map((skill) => [skill, planFix(skill, profile)?.fixed ?? []]));
}

function writeForPeople(report: Report, io: CommandLine): void {
  const { skills, quiet } = report;
  const fixes = planFixes(report);
  const style = createStylist(io.stdout, io);
  const write = createDiagnosticWriter(io.stdout, io);
  for (const skill of skills) {
    const { ok, location, root, text, isNothing } = skill;
    const shown = shownOf(skill, report);
    // A skill that the user named always gets a line. Of skills in a folder, only those with findings are listed.
    if (isNothing === true || (shown.length === 0 && (quiet || root !== dirname(location)))) continue;
    const verdict = ok ? style('green', 'ok     ') : style('red', 'invalid');
    if (isCounted(skill)) io.stdout.write(`${verdict} ${showPath(location, io.cwd)}\n`);
    const fixable = new Set(fixes.get(skill)?.map(({ code }) => code));
    for (const diagnostic of foldRepeated(shown)) {
      const { code, hint = '' } = diagnostic;
      write(fixable.has(code) ? { ...diagnostic, hint: `${hint} Or use ${fixOption(skill)}.` } : diagnostic, text);
    }
    if (shown.length > 0) io.stdout.write('\n');
  }
  writeSummary(report, fixes, io);
}

/** Names the option that fixes a skill. The standard input cannot be changed, but a diff can be printed. */
function fixOption(skill: CheckedSkill | undefined): string {
  return skill?.location === standardInput ? '`--fix --dry-run`' : '`--fix`';
}

/** Checks whether a result counts as a skill: it is about a `SKILL.md`, or about an error that may hide one. */
function isCounted({ location, ok }: CheckedSkill): boolean {
  return !ok || isSkillFile(location) || location === standardInput;
}

function writeSummary({ skills: all, profile, milliseconds, quiet }: Report, fixes: Fixes, io: CommandLine): void {
  const found = all.filter(({ isNothing }) => isNothing !== true);
  if (found.length === 0) return;
  const fixable = [...fixes.values()].reduce((sum, fixed) => sum + fixed.length, 0);
  for (const line of summarize(found, fixable, quiet)) io.stdout.write(`${line}\n`);
  const known = found.reduce((sum, { leftOut = 0 }) => sum + leftOut, 0);
  if (known > 0) io.stdout.write(`Left out ${count(known, 'finding')} of the baseline.\n`);
  io.stdout.write(`Took ${Math.round(milliseconds)} ms.\n`);
  const skills = found.filter(isCounted);
  const invalid = skills.filter(({ ok }) => !ok).length;
  const checked = `${count(skills.length, 'skill')} checked with the ${profile} profile`;
  io.stdout.write(`${checked}: ${skills.length - invalid} ok, ${invalid} invalid.\n`);
}

/** The most codes that are named as common causes. */
const mostCauses = 3;

/** The fewest findings that make a code a common cause. */
const fewest = 3;

/** Returns the lines of the summary: how much was found and can be fixed, and the common causes. With `quiet`, only of errors. */
function summarize(skills: readonly CheckedSkill[], fixable: number, quiet: boolean): readonly string[] {
  const diagnostics = skills.flatMap((skill) => skill.diagnostics);
  if (diagnostics.length === 0) return [];
  const ofSeverity = (wanted: string): number => diagnostics.filter(({ severity }) => severity === wanted).length;
  const files = skills.filter((skill) => skill.diagnostics.length > 0);
  const printed = diagnostics.filter(({ severity }) => !quiet || severity === 'error');
  const causes = [...Map.groupBy(printed, ({ code }) => code)]
    .map(([code, found]) => ({ code, times: found.length }))
    .filter(({ times }) => times >= fewest)
    .sort((a, b) => b.times - a.times || (a.code < b.code ? -1 : 1))
    .slice(0, mostCauses);
  const found = [
    count(ofSeverity('error'), 'error'),
    count(ofSeverity('warning'), 'warning'),
    ...(ofSeverity('info') === 0 ? [] : [count(ofSeverity('info'), 'note')]),
  ].join(', ');
  return [
    `${found} in ${count(files.length, 'file')}.`,
    ...(fixable === 0 ? [] : [`${fixable} can be fixed with ${fixOption(skills[0])}.`]),
    ...(causes.length === 0 ? [] : ['Most often:', ...causes.map(({ code, times }) => `  ${code} (${times})`)]),
    '`skillful explain CODE` explains a finding.',
  ];
}

/**
 * Formats a diagnostic as a workflow command, for which GitHub marks the line in the pull request. The text also names the place,
 * because GitHub marks the first ten of a step, and writes only the texts of the others into the log.
 */
function formatAnnotation({ severity, location, line, column, code, message, hint }: Diagnostic): string {
  const place = [
    `file=${escapeProperty(location)}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${escapeProperty(code)}`,
  ];
  const level = severity === 'info' ? 'notice' : severity;
  const site = [location, line, column].filter((part) => part !== undefined).join(':');
  const text = [`${site}:`, message, hint].filter((part) => part !== undefined).join(' ');
  return `::${level} ${place.join(',')}::${escapeData(text)}`;
}

/** Escapes characters that would end the command or begin another one. */
function escapeData(text: string): string {
  return text.replace(/%/gu, '%25').replace(/\r/gu, '%0D').replace(/\n/gu, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/gu, '%3A').replace(/,/gu, '%2C');
}
