// `skillful validate` checks whether skills follow the rules, and shows exactly where they do not.

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isSkillError, type SkillProfile } from '@skillful/core';
import { findProject } from '@skillful/core/node';
import { type Command, Option } from 'commander';
import { remedy } from '../checking/check.ts';
import { type CheckOptions, checkAll } from '../checking/check-all.ts';
import { type CheckedSkill, standardInput } from '../checking/check-file.ts';
import { formatDiff } from '../checking/diff.ts';
import { filesToFix, fixSkillFile, planFix } from '../checking/fix.ts';
import { type ReportFormat, reportFormats, writeReport } from '../checking/report.ts';
import { changesOf } from '../checking/watch.ts';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { workingDirectory } from '../loading/sources.ts';
import { count, showPath, writeError, writeText } from '../terminal/output.ts';
import { withProgress } from '../terminal/progress.ts';
import { terminalLine } from '../terminal/text.ts';

interface ValidateOptions extends Pick<CheckOptions, 'profile' | 'cwd' | 'baseline'> {
  readonly format: ReportFormat;
  readonly fix?: boolean;
  readonly dryRun?: boolean;
  readonly changed?: string | true;
  readonly watch?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The options, with the paths of the call. */
type Call = ValidateOptions & CheckOptions;

const profiles = ['strict', 'lenient', 'portable'] as const satisfies readonly SkillProfile[];

/** Defines the command `validate`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  const formats = new Set<string>();
  command
    .addOption(new Option('--profile <profile>', 'the rules to check').choices(profiles).default('strict'))
    .addOption(new Option('--format <format>', 'how to print the result').choices(reportFormats).default('text'))
    .option('--fix', 'fix what can be fixed automatically')
    .option('--dry-run', 'with --fix: print a diff instead of writing')
    .option('--changed [commit]', 'check only skills that changed since a commit (default: HEAD)')
    .option('--baseline <file>', 'leave out the findings in a file that validate --json printed')
    .option('--watch', 'check again whenever a SKILL.md changes')
    .option('--json', 'print JSON, like --format json')
    .option('-q, --quiet', 'print only errors and the summary')
    .option('--cwd <dir>', 'run as if started in this directory')
    .addHelpText('after', '\nExample:\n  $ skillful validate ./skills --profile portable')
    .on('option:format', (format: string) => formats.add(format))
    .on('option:json', () => formats.add('json'))
    .action(async (given: string[], options: ValidateOptions) => {
      const wrong = findMistake(given, options, formats);
      if (wrong !== undefined) command.error(`error: ${wrong}`, { exitCode: 2 });
      const paths = given.length > 0 ? given : [findProject(workingDirectory(options, io)).root];
      const { changed } = options;
      const call = { ...options, paths, since: changed === true ? 'HEAD' : changed };
      answer(await (options.watch === true ? watch : options.dryRun === true ? showFixes : validate)(call, io));
    });
}

/** Returns what is wrong with the options together; `undefined` if nothing is. */
function findMistake(
  paths: readonly string[],
  { fix, dryRun, watch: isWatching }: ValidateOptions,
  formats: ReadonlySet<string>,
): string | undefined {
  const isFromInput = paths.includes(standardInput);
  if (formats.size > 1) {
    const named = [...formats].map((format) => `\`${format}\``).join(' and ');
    return `only one format can be printed, not ${named}`;
  }
  if (dryRun === true && fix !== true) return "option '--dry-run' needs option '--fix'";
  if (dryRun === true && formats.size > 0) return "option '--dry-run' prints a diff, so it takes no other format";
  if (fix === true && dryRun !== true && isFromInput)
    return "option '--fix' cannot write to the standard input; add '--dry-run' to get a diff";
  if (isWatching !== true) return undefined;
  if (dryRun === true || isFromInput || [...formats].some((format) => format !== 'text'))
    return "option '--watch' prints text about files, so it takes no other format, no '--dry-run' and no '-'";
  return undefined;
}

async function validate(options: Call, io: CommandLine): Promise<ExitCode> {
  const { profile, quiet = false } = options;
  const start = process.uptime();
  const check = () => withProgress('Checking skills', io, checkAll(options, io));
  const checked = await check();
  const { isRefused, counts } =
    options.fix === true ? await fixAll(checked, profile, io) : { isRefused: false, counts: [] };
  // Checked again, because the report is about what is on the disk now.
  const skills = options.fix === true ? await check() : checked;
  const ok = skills.every((skill) => skill.ok);
  const directory = workingDirectory(options, io);
  const format = options.json === true ? 'json' : options.format;
  const milliseconds = (process.uptime() - start) * 1000;
  await writeReport({ skills, ok, profile, directory, milliseconds, quiet }, format, io);
  // Printed last, because at a terminal, the end is seen first.
  if (counts.length > 1) writeFixed('Fixed', counts, io);
  if (skills.length === 0 && options.since !== undefined)
    io.stderr.write(`No skill has changed since \`${terminalLine(options.since)}\`.\n`);
  if (reportMissing(skills, io)) return 2;
  return ok && !isRefused ? 0 : 1;
}

/** Checks now and after each change, until the process is stopped. Ends only if a path cannot be read at the beginning. */
async function watch(options: Call, io: CommandLine): Promise<ExitCode> {
  let isFirst = true;
  for await (const _ of changesOf(options, io)) {
    try {
      const code = await validate(options, io);
      if (isFirst && code === 2) return code;
    } catch (error) {
      // Something is missing for a moment, such as a directory while git switches to another branch.
      if (isFirst || !isSkillError(error)) throw error;
      writeError(error.message, io);
    }
    isFirst = false;
    io.stderr.write('\nWatching for changes. Press Ctrl+C to stop.\n\n');
  }
  return 0;
}

/** Prints what `--fix` would change, as a diff for `git apply`. Changes no file. */
async function showFixes(options: Call, io: CommandLine): Promise<ExitCode> {
  const { profile } = options;
  const checked = await withProgress('Checking skills', io, checkAll(options, io));
  let isWrong = checked.some((skill) => !skill.ok);
  const fixable: number[] = [];
  for (const skill of filesToFix(checked)) {
    const plan = planFix(skill, profile);
    if (plan === undefined) continue;
    isWrong = true;
    const path = showPath(skill.location, io.cwd).replaceAll('\\', '/').replace(/^\//, '');
    writeText(formatDiff(path, skill.text ?? '', plan.text), io);
    fixable.push(plan.fixed.length);
  }
  writeFixed('Would fix', fixable, io);
  if (fixable.length === 0 && checked.some(({ ok, isNothing }) => !ok && isNothing !== true)) {
    io.stderr.write('Nothing can be fixed automatically. To see the problems, leave out `--fix --dry-run`.\n');
  }
  return reportMissing(checked, io) ? 2 : isWrong ? 1 : 0;
}

/** Reports paths that could not be read or have no skills. True if any path could not be read. */
function reportMissing(skills: readonly CheckedSkill[], io: CommandLine): boolean {
  let isUnreadable = false;
  for (const { source, location, diagnostics } of skills.filter(({ isNothing }) => isNothing === true)) {
    if (diagnostics[0]?.code === 'root-unreadable') {
      isUnreadable = true;
      io.stderr.write(`error: \`${terminalLine(source)}\` ${describeUnreadable(location)}. ${remedy}\n`);
    } else {
      const place = showPath(dirname(location), io.cwd);
      const advice = 'Create one with `skillful new NAME --scope project`, or pass another path.';
      io.stderr.write(`error: No skills found: there is no \`SKILL.md\` in \`${place}\` or below it. ${advice}\n`);
    }
  }
  return isUnreadable;
}

function describeUnreadable(path: string): string {
  if (!existsSync(path)) return 'does not exist';
  return statSync(path).isDirectory() ? 'cannot be read' : 'is neither a folder nor a SKILL.md file';
}

/** Fixes files. Returns whether any was refused, and the number of findings that were fixed in each changed file. */
async function fixAll(
  checked: readonly CheckedSkill[],
  profile: SkillProfile,
  io: CommandLine,
): Promise<{ readonly isRefused: boolean; readonly counts: readonly number[] }> {
  let isRefused = false;
  const counts: number[] = [];
  for (const skill of filesToFix(checked)) {
    // Writing is synchronous. Here, a person can interrupt it.
    await nextTurn();
    const { fixed, refusal } = await fixSkillFile(skill, profile);
    if (refusal !== undefined) writeError(refusal, io);
    isRefused ||= refusal !== undefined;
    const codes = [...new Set(fixed.map(({ code }) => code))];
    if (codes.length > 0) io.stderr.write(`Fixed ${showPath(skill.location, io.cwd)}: ${codes.join(', ')}\n`);
    if (codes.length > 0) counts.push(fixed.length);
  }
  return { isRefused, counts };
}

/** Prints how much was fixed, given the number of findings in each file. */
function writeFixed(words: string, counts: readonly number[], io: CommandLine): void {
  if (counts.length === 0) return;
  const findings = counts.reduce((sum, number) => sum + number, 0);
  io.stderr.write(`${words} ${count(findings, 'finding')} in ${count(counts.length, 'file')}.\n`);
}
