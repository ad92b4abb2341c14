// `skillful instructions` lists the instruction files that an agent gets here, from general to specific.

import { loadInstructionFiles, loadSettings } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { workingDirectory } from '../loading/sources.ts';
import { writeDiagnostics } from '../terminal/diagnostics.ts';
import { showPath, writeJson } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';

interface InstructionsOptions {
  readonly cwd?: string;
  readonly trust?: boolean;
  readonly json?: boolean;
}

/** Defines the command `instructions`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  command
    .option('--cwd <dir>', 'run as if started in this directory')
    .option('--trust', 'read the files of an untrusted project')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful instructions --cwd packages/core')
    .action(async (options: InstructionsOptions) => answer(await instructions(options, io)));
}

async function instructions(options: InstructionsOptions, io: CommandLine): Promise<ExitCode> {
  const { environment } = io;
  const { trustedProjects } = await loadSettings({ environment });
  const cwd = workingDirectory(options, io);
  const allowUnsafe = options.trust === true;
  const trusted = allowUnsafe || trustedProjects;
  const { files, diagnostics } = await loadInstructionFiles({ cwd, trusted, allowUnsafe, environment });
  writeDiagnostics(diagnostics, io);
  if (options.json === true) {
    const shown = files.map(({ location, scope, bytes }) => ({ location, scope, bytes }));
    writeJson(shown, io);
  } else if (files.length > 0) {
    const rows = files.map(({ location, scope, bytes }) => [scope, String(bytes), showPath(location, io.cwd)]);
    writeTable(['SCOPE', 'BYTES', 'LOCATION'], rows, io);
  } else {
    io.stderr.write('No AGENTS.md or CLAUDE.md files found.\n');
  }
  return 0;
}
