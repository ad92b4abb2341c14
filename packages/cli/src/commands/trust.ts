// `skillful trust` adds a project to the trusted ones in the user's settings, or lists what is trusted.

import { findProject, loadSettings, setProjectTrusted } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { changeSettings } from '../loading/change-settings.ts';
import { assertReadable, resolvePath } from '../loading/sources.ts';
import { writeDiagnostics } from '../terminal/diagnostics.ts';
import { showPath, writeJson } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';
import { terminalLine } from '../terminal/text.ts';

interface TrustOptions {
  readonly list?: boolean;
  readonly json?: boolean;
}

/** Defines the command `trust`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  command
    .option('--list', 'list what is trusted instead')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful trust ../app')
    .action(async (dir: string | undefined, options: TrustOptions) => {
      if (options.list === true && dir !== undefined) {
        command.error("error: option '--list' cannot be used with a directory", { exitCode: 2 });
      }
      answer(options.list === true ? await listTrusted(options, io) : await trust(dir, options, io));
    });
}

async function trust(dir: string | undefined, options: TrustOptions, io: CommandLine): Promise<ExitCode> {
  const path = resolvePath(dir ?? '.', io.cwd, io);
  assertReadable('its path', dir ?? '.', path);
  const { root } = findProject(path);
  await changeSettings((settings) => setProjectTrusted(root, true, settings), io);
  if (options.json === true) return listTrusted(options, io);
  io.stdout.write(`Trusted: ${showProject(root, path, io)}\n`);
  io.stderr.write('Its skills, instruction files and settings are used from now on; `skillful untrust` ends that.\n');
  return 0;
}

/** Shows a project, and the path in it that the user named, because trust is always about the whole project. */
export function showProject(root: string, path: string, { cwd }: CommandLine): string {
  const isInside = path !== cwd && path !== root && findProject(path).directories.length > 1;
  return isInside ? `${showPath(root, cwd)}, which contains ${showPath(path, cwd)}` : showPath(root, cwd);
}

/** Lists the trusted projects, and the skills to which the user agreed permanently. */
export async function listTrusted({ json }: Pick<TrustOptions, 'json'>, io: CommandLine): Promise<ExitCode> {
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
