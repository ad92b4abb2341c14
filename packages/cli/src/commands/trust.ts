// `skillful trust` and `skillful untrust`: which projects are trusted, stored in the user's settings.

import { findProject, loadSettings, setProjectTrusted, withdrawConsents } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { assertReadable, resolvePath } from '../loading/sources.ts';
import { writeDiagnostics } from '../terminal/diagnostics.ts';
import { showPath, writeJson } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';
import { terminalLine } from '../terminal/text.ts';

interface TrustOptions {
  readonly list?: boolean;
  readonly json?: boolean;
}

interface UntrustOptions extends Pick<TrustOptions, 'json'> {
  readonly skill?: string;
}

/** Adds `trust` to the program. */
export function defineTrust(program: Command, io: CommandLine, answer: Answer): void {
  program
    .command('trust [dir]')
    .description('use the skills, instruction files and settings of a project, from now on')
    .option('--list', 'list what is trusted instead')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful trust ../app')
    .action(async (dir: string | undefined, options: TrustOptions, command: Command) => {
      if (options.list === true && dir !== undefined) {
        command.error("error: option '--list' cannot be used with a directory", { exitCode: 2 });
      }
      answer(options.list === true ? await listTrusted(options, io) : await trust(dir, options, io));
    });
}

/** Adds `untrust` to the program. */
export function defineUntrust(program: Command, io: CommandLine, answer: Answer): void {
  program
    .command('untrust [dir]')
    .description('stop using anything of a project')
    .option('--skill <name>', 'withdraw what you agreed to about a skill instead')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful untrust ../app')
    .action(async (dir: string | undefined, options: UntrustOptions, command: Command) => {
      if (options.skill !== undefined && dir !== undefined) {
        command.error("error: option '--skill' cannot be used with a directory", { exitCode: 2 });
      }
      answer(await (options.skill === undefined ? untrust(dir, options, io) : withdraw(options.skill, options, io)));
    });
}

async function trust(dir: string | undefined, options: TrustOptions, io: CommandLine): Promise<ExitCode> {
  const { environment } = io;
  const path = resolvePath(dir ?? '.', io.cwd, io);
  assertReadable('its path', dir ?? '.', path);
  const { root } = findProject(path);
  await setProjectTrusted(root, true, { environment });
  if (options.json === true) return listTrusted(options, io);
  io.stdout.write(`Trusted: ${showPath(root, io.cwd)}\n`);
  io.stderr.write('Its skills, instruction files and settings are used from now on; `skillful untrust` ends that.\n');
  return 0;
}

/** The project may be gone. */
async function untrust(dir: string | undefined, options: TrustOptions, io: CommandLine): Promise<ExitCode> {
  const { environment } = io;
  const path = resolvePath(dir ?? '.', io.cwd, io);
  const { trustedProjects } = await loadSettings({ environment });
  const project = trustedProjects.includes(path) ? path : findProject(path).root;
  await setProjectTrusted(project, false, { environment });
  if (options.json === true) return listTrusted(options, io);
  const words = trustedProjects.includes(project) ? 'No longer trusted' : 'Was not trusted';
  io.stdout.write(`${words}: ${showPath(project, io.cwd)}\n`);
  return 0;
}

async function withdraw(skill: string, options: UntrustOptions, io: CommandLine): Promise<ExitCode> {
  const count = await withdrawConsents(skill, { environment: io.environment });
  if (options.json === true) return listTrusted(options, io);
  const name = terminalLine(skill);
  const answers = count === 1 ? '1 answer' : `${count} answers`;
  io.stdout.write(count === 0 ? `Nothing was agreed to about: ${name}\n` : `Withdrawn: ${answers} about ${name}\n`);
  return 0;
}

async function listTrusted({ json }: TrustOptions, io: CommandLine): Promise<ExitCode> {
  const { trust, diagnostics } = await loadSettings({ environment: io.environment });
  const trusted = trust.projects.map(({ directory, since }) => ({ directory, since: since ?? null }));
  const consents = Object.values(trust.consents).map(({ skill, action, path, digest, at }) => ({
    ...{ skill, action, path: path ?? null, digest, since: new Date(at).toISOString() },
  }));
  writeDiagnostics(diagnostics, io);
  if (json === true) {
    writeJson({ trusted, consents }, io);
    return 0;
  }
  if (trusted.length > 0) {
    const rows = trusted.map(({ directory, since }) => [since?.slice(0, 10) ?? '', showPath(directory, io.cwd)]);
    writeTable(['SINCE', 'PROJECT'], rows, io);
  } else {
    io.stderr.write('No project is trusted. Run `skillful trust` in one to use its skills.\n');
  }
  if (consents.length > 0) {
    const rows = consents.map(({ since, action, skill, path, digest }) => [
      ...[since.slice(0, 10), action, terminalLine(skill), terminalLine(path ?? '')],
      digest.slice(0, 'sha256:'.length + 8),
    ]);
    writeTable(['SINCE', 'AGREED TO', 'SKILL', 'FILE', 'DIGEST'], rows, io);
  }
  return 0;
}
