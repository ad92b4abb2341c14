// `skillful run` runs a bundled script, if the policy or the person at the terminal allows it.

import {
  explainPolicy,
  planScript,
  qualifiedName,
  type ScriptPlan,
  type Skill,
  SkillError,
  type SkillPolicy,
} from '@skillful/core';
import { checkResourcePath } from '@skillful/core/extending';
import { bubblewrapRunner, processRunner } from '@skillful/core/node';
import { type Command, Option } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { type RunnerName, runnerNames } from '../loading/configuration.ts';
import { findSkill, withFileAdvice } from '../loading/find.ts';
import { addSkillOptions, parsePositive, type SkillOptions } from '../loading/options.ts';
import { loadSkills } from '../loading/skills.ts';
import { assertReadable, resolvePath, workingDirectory } from '../loading/sources.ts';
import { writeSourceProblems } from '../terminal/diagnostics.ts';
import { count, showPath } from '../terminal/output.ts';
import { terminalLine } from '../terminal/text.ts';

interface RunOptions extends SkillOptions {
  readonly runner?: RunnerName;
  readonly directory?: string;
  readonly timeout: number;
  readonly yes?: boolean;
}

const runners = { bubblewrap: bubblewrapRunner, process: processRunner };

/** Defines the command `run`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addSkillOptions(command)
    .addOption(
      new Option(
        '--runner <name>',
        'what runs it; bubblewrap is a sandbox (default: that of .skillful/config.json)',
      ).choices(runnerNames),
    )
    .option('--directory <dir>', 'its working directory (default: a new one, deleted afterwards)')
    .option('--timeout <seconds>', 'end it after this time', parsePositive, 60)
    .option('-y, --yes', 'do not ask before it runs')
    .addHelpText(
      'after',
      '\nPut `--` before arguments of the script that begin with a hyphen.\n\nExample:\n  $ skillful run pdf scripts/fill.py --runner bubblewrap -- --form form.pdf',
    )
    .action(async (name: string, path: string, words: string[], options: RunOptions) => {
      answer(await runScript(name, path, words, options, io));
    });
}

async function runScript(
  name: string,
  given: string,
  words: readonly string[],
  options: RunOptions,
  io: CommandLine,
): Promise<ExitCode> {
  const loaded = await loadSkills(options, io);
  const { catalog, policy } = loaded;
  const skill = findSkill(catalog, name, io);
  const named = options.runner ?? loaded.runner;
  if (named === undefined) {
    // The configuration may be the problem.
    writeSourceProblems(loaded, io);
    throw new SkillError(
      'script-unsupported',
      'No runner is chosen. Pass `--runner bubblewrap` for a sandbox (Linux), or `--runner process` for a skill that you trust. A project can set `"runner"` in `.skillful/config.json`.',
    );
  }
  const path = checkResourcePath(given).join('/');
  if (!(await isAllowed(skill, path, policy, options, io))) return 1;
  const directory = options.directory && resolvePath(options.directory, workingDirectory(options, io), io);
  if (directory !== undefined) assertReadable('`--directory`', options.directory ?? '', directory);
  const plan = await withFileAdvice(name, planCalled(skill, path, words, policy));
  const result = await runners[named]({ directory, timeout: options.timeout * 1000 }).run(plan, {
    signal: io.signal,
    onOutput: ({ stream, text }) => (stream === 'output' ? io.stdout : io.stderr).write(text),
  });
  const { exitCode, timedOut, tooManyProcesses, deleted = [] } = result;
  if (deleted.length > 0) {
    const names = deleted.map(terminalLine).join(', ');
    io.stderr.write(`Deleted with its working directory: ${names}. To keep files, pass \`--directory\`.\n`);
  }
  if (exitCode === 0) return 0;
  const how = exitCode === undefined ? 'was ended by a signal' : `ended with exit code ${exitCode}`;
  const why =
    tooManyProcesses === true ? 'had too many processes' : `took more than ${count(options.timeout, 'second')}`;
  io.stderr.write(`error: The script ${timedOut || tooManyProcesses === true ? why : how}.\n`);
  return 1;
}

const asUser = { actor: 'user', action: 'run' } as const;

/** Asks the policy, and the person if the policy says so. If the script must not run, says why. */
async function isAllowed(
  skill: Skill,
  path: string,
  policy: SkillPolicy,
  { yes }: RunOptions,
  io: CommandLine,
): Promise<boolean> {
  const script = `\`${terminalLine(path)}\` of ${terminalLine(qualifiedName(skill))}`;
  const { effect, rule } = explainPolicy(policy, skill, { ...asUser, path });
  if (effect === 'deny') {
    const reason = rule?.reason === undefined ? '' : `: ${terminalLine(rule.reason)}`;
    io.stderr.write(`error: The policy denies you to run ${script}${reason}.\n`);
    return false;
  }
  if (effect === 'allow' || yes === true) return true;
  if (io.ask === undefined) {
    io.stderr.write(`error: You must agree before ${script} runs. Run the command at a terminal, or pass \`--yes\`.\n`);
    return false;
  }
  const answer = await io.ask(`Run ${script} in ${showPath(skill.directory, io.cwd)}? [y/N] `);
  if (/^y(?:es)?$/iu.test(answer.trim())) return true;
  io.stderr.write('Nothing was run.\n');
  return false;
}

/** Plans the run, without the files that the policy denies to the user. */
function planCalled(skill: Skill, path: string, words: readonly string[], policy: SkillPolicy): Promise<ScriptPlan> {
  return planScript(
    skill,
    { path, arguments: words },
    {
      checkPath(file) {
        if (explainPolicy(policy, skill, { ...asUser, path: file }).effect !== 'deny') return;
        throw new SkillError('resource-unknown', `The policy denies \`${file}\`.`);
      },
    },
  );
}
