// `skillful untrust` removes a project from the trusted ones in the user's settings, or withdraws the consent to a skill.

import { existsSync } from 'node:fs';
import { findProject, loadSettings, setProjectTrusted, withdrawConsents } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { changeSettings } from '../loading/change-settings.ts';
import { resolvePath } from '../loading/sources.ts';
import { terminalLine } from '../terminal/text.ts';
import { listTrusted, showProject } from './trust.ts';

interface UntrustOptions {
  readonly skill?: string;
  readonly json?: boolean;
}

/** Defines the command `untrust`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  command
    .option('--skill <name>', 'withdraw what you agreed to about a skill instead')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful untrust ../app')
    .action(async (dir: string | undefined, options: UntrustOptions) => {
      if (options.skill !== undefined && dir !== undefined) {
        command.error("error: option '--skill' cannot be used with a directory", { exitCode: 2 });
      }
      answer(await (options.skill === undefined ? untrust(dir, options, io) : withdraw(options.skill, options, io)));
    });
}

/** Stops trusting a project, which may no longer exist. */
async function untrust(dir: string | undefined, options: UntrustOptions, io: CommandLine): Promise<ExitCode> {
  const path = resolvePath(dir ?? '.', io.cwd, io);
  const { trustedProjects } = await loadSettings({ environment: io.environment });
  // A path that does not exist may be a typo, which must not end the trust in the project around it.
  const isMissing = !existsSync(path);
  const project = isMissing || trustedProjects.includes(path) ? path : findProject(path).root;
  await changeSettings((settings) => setProjectTrusted(project, false, settings), io);
  if (options.json === true) return listTrusted(options, io);
  const { trustedProjects: left } = await loadSettings({ environment: io.environment });
  const words = left.length < trustedProjects.length ? 'No longer trusted' : 'Was not trusted';
  const reason = isMissing && left.length === trustedProjects.length ? ', which does not exist' : '';
  io.stdout.write(`${words}: ${showProject(project, path, io)}${reason}\n`);
  return 0;
}

async function withdraw(skill: string, options: UntrustOptions, io: CommandLine): Promise<ExitCode> {
  const count = await changeSettings((settings) => withdrawConsents(skill, settings), io);
  if (options.json === true) return listTrusted(options, io);
  const name = terminalLine(skill);
  const answers = count === 1 ? '1 answer' : `${count} answers`;
  io.stdout.write(count === 0 ? `Nothing was agreed to about: ${name}\n` : `Withdrawn: ${answers} about ${name}\n`);
  return 0;
}
