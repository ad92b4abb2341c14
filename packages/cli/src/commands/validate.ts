// `skillful validate`: whether skills keep the rules, and where exactly they do not.

import type { SkillProfile } from '@skillful/core';
import { type Command, Option } from 'commander';
import { type CheckedSkill, checkSkills } from '../check-skills.ts';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { writeDiagnostic } from '../diagnostic-text.ts';
import { writeJson } from '../json.ts';
import { resolvePath, showPath } from '../paths.ts';
import { withProgress } from '../progress.ts';
import { workingDirectory } from '../sources.ts';
import { createStylist } from '../terminal-style.ts';

interface ValidateOptions {
  readonly profile: SkillProfile;
  readonly format: 'text' | 'json';
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
    .addOption(new Option('--format <format>', 'how to print the result').choices(['text', 'json']).default('text'))
    .option('--json', 'print JSON, as --format json does')
    .option('--cwd <dir>', 'work as if started in this directory')
    .addHelpText('after', '\nExample:\n  $ skillful validate ./skills --profile portable')
    .action(async (paths: string[], options: ValidateOptions) => answer(await validate(paths, options, io)));
}

async function validate(paths: readonly string[], options: ValidateOptions, io: CommandLine): Promise<ExitCode> {
  const { profile } = options;
  const skills = await withProgress('Checking skills', io, checkAll(paths, options, io));
  const ok = skills.every((skill) => skill.ok);
  if (options.json === true || options.format === 'json') {
    const results = skills.map(({ location, name, ok, diagnostics }) => ({ location, name, ok, diagnostics }));
    writeJson({ ok, profile, skills: results }, io);
  } else {
    writeReport(skills, profile, io);
  }
  return ok ? 0 : 1;
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

function writeReport(skills: readonly CheckedSkill[], profile: SkillProfile, io: CommandLine): void {
  const style = createStylist(io.stdout, io);
  for (const { ok, location, diagnostics, text } of skills) {
    const verdict = ok ? style('green', 'ok     ') : style('red', 'refused');
    io.stdout.write(`${verdict} ${showPath(location, io.cwd)}\n`);
    for (const diagnostic of diagnostics) writeDiagnostic(diagnostic, io.stdout, io, text);
    if (diagnostics.length > 0) io.stdout.write('\n');
  }
  const refused = skills.filter(({ ok }) => !ok).length;
  const total = skills.length === 1 ? '1 skill' : `${skills.length} skills`;
  io.stdout.write(`${total} checked with the ${profile} profile: ${skills.length - refused} ok, ${refused} refused.\n`);
}
