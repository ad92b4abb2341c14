// `skillful validate`: whether skills keep the rules, and where exactly they do not.

import { relative } from 'node:path';
import { type Diagnostic, type SkillProfile, toSarif } from '@skillful/core';
import { type Command, Option } from 'commander';
import { type CheckedSkill, checkSkills } from '../check-skills.ts';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { writeDiagnostic } from '../diagnostic-text.ts';
import { fixSkillFile } from '../fix-skills.ts';
import { writeJson } from '../json.ts';
import { resolvePath, showPath } from '../paths.ts';
import { withProgress } from '../progress.ts';
import { workingDirectory } from '../sources.ts';
import { createStylist } from '../terminal-style.ts';
import { readVersion } from '../version.ts';

interface ValidateOptions {
  readonly profile: SkillProfile;
  readonly format: (typeof formats)[number];
  readonly fix?: boolean;
  readonly json?: boolean;
  readonly cwd?: string;
}

const formats = ['text', 'json', 'sarif'] as const;
const profiles = ['strict', 'lenient', 'portable'] as const satisfies readonly SkillProfile[];

/** Adds `validate` to the program. */
export function defineValidate(program: Command, io: CommandLine, answer: Answer): void {
  program
    .command('validate <path...>')
    .description('check skill folders, SKILL.md files or whole trees of them')
    .addOption(new Option('--profile <profile>', 'the rules to check').choices(profiles).default('strict'))
    .addOption(new Option('--format <format>', 'how to print the result').choices(formats).default('text'))
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
  if (options.format === 'sarif') {
    const directory = workingDirectory(options, io);
    const diagnostics = skills.flatMap((skill) => skill.diagnostics.map((found) => placeBelow(directory, found)));
    writeJson(toSarif(diagnostics, { version: readVersion() }), io);
  } else if (options.json === true || options.format === 'json') {
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

function fixAll(checked: readonly CheckedSkill[], profile: SkillProfile, io: CommandLine): readonly CheckedSkill[] {
  return checked.map((given) => {
    const { skill, fixed } = fixSkillFile(given, profile);
    const codes = [...new Set(fixed.map(({ code }) => code))];
    if (codes.length > 0) io.stderr.write(`Corrected ${showPath(skill.location, io.cwd)}: ${codes.join(', ')}\n`);
    return skill;
  });
}

/** Scanning services expect paths relative to the root of the repository. */
function placeBelow(directory: string, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, location: relative(directory, diagnostic.location) };
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
