// `skillful trust` and `skillful untrust`: which projects are trusted, stored in the user's settings.

import { findProject, loadSettings, setProjectTrusted } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { assertReadable, resolvePath } from '../loading/sources.ts';
import { writeDiagnostics } from '../terminal/diagnostics.ts';
import { showPath, writeJson } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';

interface TrustOptions {
  readonly list?: boolean;
  readonly json?: boolean;
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
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful untrust ../app')
    .action(async (dir: string | undefined, options: TrustOptions) => answer(await untrust(dir, options, io)));
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

async function listTrusted({ json }: TrustOptions, io: CommandLine): Promise<ExitCode> {
  const { trust, diagnostics } = await loadSettings({ environment: io.environment });
  const trusted = trust.projects.map(({ directory, since }) => ({ directory, since: since ?? null }));
  writeDiagnostics(diagnostics, io);
  if (json === true) {
    writeJson({ trusted, consents: [] }, io);
  } else if (trusted.length > 0) {
    const rows = trusted.map(({ directory, since }) => [since?.slice(0, 10) ?? '', showPath(directory, io.cwd)]);
    writeTable(['SINCE', 'PROJECT'], rows, io);
  } else {
    io.stderr.write('No project is trusted. Run `skillful trust` in one to use its skills.\n');
  }
  return 0;
}
