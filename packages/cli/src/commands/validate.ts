// `skillful validate`: whether skills keep the rules, and where exactly they do not.

import type { SkillProfile } from '@skillful/core';
import { type Command, Option } from 'commander';
import { type CheckedSkill, checkSkills } from '../checking/check.ts';
import { fixSkillFile } from '../checking/fix.ts';
import { type ReportFormat, reportFormats, writeReport } from '../checking/report.ts';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { workingDirectory } from '../loading/sources.ts';
import { resolvePath, showPath } from '../paths.ts';
import { withProgress } from '../terminal/progress.ts';
import { terminalLine } from '../terminal/text.ts';

interface ValidateOptions {
  readonly profile: SkillProfile;
  readonly format: ReportFormat;
  readonly fix?: boolean;
  readonly json?: boolean;
  readonly cwd?: string;
}

const profiles = ['strict', 'lenient', 'portable'] as const satisfies readonly SkillProfile[];

/** Adds `validate` to the program. */
export function defineValidate(program: Command, io: CommandLine, answer: Answer): void {
  program
    .command('validate <path...>')
    .description('check skill folders, SKILL.md files or whole trees of them')
    .addOption(new Option('--profile <profile>', 'the rules to check').choices(profiles).default('strict'))
    .addOption(new Option('--format <format>', 'how to print the result').choices(reportFormats).default('text'))
    .option('--fix', 'correct the files where it is clear how')
    .option('--json', 'print JSON, as --format json does')
    .option('--cwd <dir>', 'work as if started in this directory')
    .addHelpText('after', '\nExample:\n  $ skillful validate ./skills --profile portable')
    .action(async (paths: string[], options: ValidateOptions) => answer(await validate(paths, options, io)));
}

async function validate(paths: readonly string[], options: ValidateOptions, io: CommandLine): Promise<ExitCode> {
  const { profile } = options;
  const checked = await withProgress('Checking skills', io, checkAll(paths, options, io));
  const skills = options.fix === true ? fixAll(checked, profile, io) : checked;
  const ok = skills.every((skill) => skill.ok);
  const directory = workingDirectory(options, io);
  const format = options.json === true ? 'json' : options.format;
  writeReport({ skills, ok, profile, directory }, format, io);
  const unreadable = paths.filter((path) =>
    skills.some((skill) => isUnreadable(skill, resolvePath(path, directory, io))),
  );
  for (const path of unreadable) {
    const words = 'cannot be read. Name a skill folder, a `SKILL.md` or a folder of skills.';
    io.stderr.write(`error: \`${terminalLine(path)}\` ${words}\n`);
  }
  if (unreadable.length > 0) return 2;
  return ok ? 0 : 1;
}

/** Tells whether what was found at a path is that nothing of it can be read. */
function isUnreadable({ location, diagnostics }: CheckedSkill, path: string): boolean {
  return location === path && diagnostics.some(({ code }) => code === 'root-unreadable');
}

/** Checks every path; what two paths lead to is checked once. */
async function checkAll(
  paths: readonly string[],
  { profile, cwd }: ValidateOptions,
  io: CommandLine,
): Promise<readonly CheckedSkill[]> {
  const directory = workingDirectory({ cwd }, io);
  const checked = new Map<string, CheckedSkill>();
  for (const path of paths) {
    for (const skill of await checkSkills(resolvePath(path, directory, io), path, profile)) {
      if (!checked.has(skill.location)) checked.set(skill.location, skill);
    }
  }
  return [...checked.values()];
}

function fixAll(checked: readonly CheckedSkill[], profile: SkillProfile, io: CommandLine): readonly CheckedSkill[] {
  return checked.map((given) => {
    const { skill, fixed } = fixSkillFile(given, profile);
    const codes = [...new Set(fixed.map(({ code }) => code))];
    if (codes.length > 0) io.stderr.write(`Corrected ${showPath(skill.location, io.cwd)}: ${codes.join(', ')}\n`);
    return skill;
  });
}
