// `skillful run` runs a bundled script, if the policy or the person at the terminal allows it.

import { isUtf8 } from 'node:buffer';
import { explainPolicy, loadScriptPlan, qualifiedName, type ScriptResult, SkillError } from '@skillful/core';
import { checkResourcePath, createFileCheck } from '@skillful/core/extending';
import { bubblewrapRunner, processRunner } from '@skillful/core/node';
import { type Command, Option } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { type RunnerName, runnerNames } from '../loading/configuration.ts';
import { findSkill, withFileAdvice } from '../loading/find.ts';
import { addSkillOptions, parsePositive, type SkillOptions } from '../loading/options.ts';
import { readStandardInput } from '../loading/read-up-to.ts';
import { loadSkills } from '../loading/skills.ts';
import { assertReadable, resolvePath, workingDirectory } from '../loading/sources.ts';
import { writeSourceProblems } from '../terminal/diagnostics.ts';
import { count, showPath } from '../terminal/output.ts';
import { isAnsweredYes } from '../terminal/question.ts';
import { terminalLine } from '../terminal/text.ts';

interface RunOptions extends SkillOptions {
  readonly runner?: RunnerName;
  readonly directory?: string;
  readonly timeout: number;
  readonly stdin?: boolean;
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
    .option('--stdin', 'pass the standard input to it, as text')
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
  const { effect, rule } = explainPolicy(policy, skill, { ...asUser, path });
  const script = `\`${terminalLine(path)}\` of ${terminalLine(qualifiedName(skill))}`;
  if (effect === 'deny') {
    const reason = rule?.reason === undefined ? '' : `: ${terminalLine(rule.reason)}`;
    io.stderr.write(`error: The policy denies you to run ${script}${reason}.\n`);
    return 1;
  }
  // Before the question, so that the answer is about these files.
  const checkPath = createFileCheck(policy, skill, 'run', asUser.actor);
  const plan = await withFileAdvice(name, loadScriptPlan(skill, { path, arguments: words }, { checkPath }));
  if (effect === 'ask' && !(await isConfirmed(`${script} in ${showPath(skill.directory, io.cwd)}`, options, io)))
    return 1;
  const directory = findDirectory(options, io);
  const input = options.stdin === true ? await readInput(io) : undefined;
  const runner = runners[named]({ directory, timeout: options.timeout * 1000 });
  const result = await runner.run(
    { ...plan, input },
    {
      signal: io.signal,
      onOutput: ({ stream, text }) => {
        const target = stream === 'output' ? io.stdout : io.stderr;
        // As bytes, because a terminal gets other lines broken to fit its width.
        target.write(target.isTTY === true ? Buffer.from(text) : text);
      },
    },
  );
  return reportEnd(result, options, io);
}

/** Bytes of the standard input that a script can get. */
const maxInput = 16 * 1024 * 1024;

/** Reads the standard input for the script. */
async function readInput(io: CommandLine): Promise<string> {
  const bytes = await readStandardInput(maxInput, io);
  if (bytes.length > maxInput) throw new SkillError('options-invalid', 'The standard input has more than 16 MiB.');
  if (isUtf8(bytes)) return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  throw new SkillError('options-invalid', 'The standard input is not UTF-8 text. Pass a file to the script instead.');
}

/** Finds the working directory of the script; `undefined` if none is given. */
function findDirectory({ directory: given, cwd }: RunOptions, io: CommandLine): string | undefined {
  if (given === undefined) return undefined;
  const directory = resolvePath(given, workingDirectory({ cwd }, io), io);
  assertReadable('`--directory`', given, directory);
  return directory;
}

/** Says how a script ended, unless all is well. */
function reportEnd(
  { exitCode, timedOut, tooManyProcesses = false, deleted = [] }: ScriptResult,
  { timeout }: RunOptions,
  io: CommandLine,
): ExitCode {
  if (deleted.length > 0) {
    const names = deleted.map(terminalLine).join(', ');
    io.stderr.write(`Deleted with its working directory: ${names}. To keep files, pass \`--directory\`.\n`);
  }
  if (exitCode === 0) return 0;
  const how = exitCode === undefined ? 'was ended by a signal' : `ended with exit code ${exitCode}`;
  const why = timedOut ? `took more than ${count(timeout, 'second')}` : how;
  io.stderr.write(`error: The script ${tooManyProcesses ? 'had too many processes' : why}.\n`);
  return 1;
}

const asUser = { actor: 'user', action: 'run' } as const;

/** Asks the person at the terminal whether to run a script. If not, says so. */
async function isConfirmed(script: string, { yes }: RunOptions, io: CommandLine): Promise<boolean> {
  if (yes === true) return true;
  if (io.ask === undefined) {
    io.stderr.write(`error: You must agree before ${script} runs. Run the command at a terminal, or pass \`--yes\`.\n`);
    return false;
  }
  if (await isAnsweredYes(io.ask, `Run ${script}?`)) return true;
  io.stderr.write('Nothing was run.\n');
  return false;
}
