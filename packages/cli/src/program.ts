// Assembles the commands: their names, their help and their output.

import { Command } from 'commander';
import type { Answer, CommandLine } from './command-line.ts';
import { terminalText } from './terminal/text.ts';
import { readVersion } from './version.ts';

/** Adds the options, the help and the action to a command. */
type Define = (command: Command, io: CommandLine, answer: Answer) => void;

/** The usage of a command, its purpose, and its definition, which is only loaded if the command is called. */
type Row = readonly [usage: string, purpose: string, load: () => Promise<{ readonly define: Define }>];

const rows: readonly Row[] = [
  ['list', 'list available skills', () => import('./commands/list.ts')],
  ['show <name>', 'show what the model gets when it activates a skill', () => import('./commands/show.ts')],
  ['read <name> <path>', 'print a bundled file of a skill', () => import('./commands/read.ts')],
  ['prompt', 'print the exact text that tells the model about skills', () => import('./commands/prompt.ts')],
  ['run <name> <script> [args...]', 'run a bundled script of a skill', () => import('./commands/run.ts')],
  ['search <query...>', 'search skills by keywords', () => import('./commands/search.ts')],
  [
    'validate [path...]',
    'check the skills of this project, or of the given folders and SKILL.md files',
    () => import('./commands/validate.ts'),
  ],
  [
    'doctor [name]',
    'show which skills the model sees, and explain why others are missing',
    () => import('./commands/doctor.ts'),
  ],
  [
    'explain <code>',
    'explain a diagnostic code: why it happens and what to change',
    () => import('./commands/explain.ts'),
  ],
  ['instructions', 'list the AGENTS.md and CLAUDE.md files that apply', () => import('./commands/instructions.ts')],
  ['init', 'create a directory for skills', () => import('./commands/init.ts')],
  ['new <name>', 'create a skill', () => import('./commands/new.ts')],
  ['remove <name>', 'delete one of your skills', () => import('./commands/remove.ts')],
  ['enable <name>', 'switch a skill back on', () => import('./commands/enable.ts')],
  ['disable <name>', 'switch a skill off without deleting it', () => import('./commands/enable.ts')],
  ['open <name>', 'open the directory of a skill', () => import('./commands/open.ts')],
  [
    'trust [dir]',
    'use the skills, instruction files and settings of a project, from now on',
    () => import('./commands/trust.ts'),
  ],
  ['untrust [dir]', 'stop using anything of a project', () => import('./commands/untrust.ts')],
];

const early = 'Options come after the command, as in `skillful list --root skills`. ';

/** Creates the program for its arguments. When a command has run, it passes its exit code to `answer`. */
export async function loadProgram(argv: readonly string[], io: CommandLine, answer: Answer): Promise<Command> {
  const program = new Command('skillful')
    .description('Finds, checks and shows Agent Skills exactly as an agent gets them.')
    .version(readVersion())
    .exitOverride()
    .addHelpText('after', '\nExample:\n  $ skillful list --root ./skills')
    .showHelpAfterError(`${argv[0]?.startsWith('-') ? early : ''}Run \`skillful --help\` for usage.`)
    .configureHelp({
      minWidthToWrap: 20,
      // Without further words, which would make the column too wide.
      subcommandTerm: (command) =>
        `${command.name()} ${command.usage().replace(/\[options\] ?| \[args\.\.\.\]/gu, '')}`,
    })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(terminalText(text)),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    });
  const called = argv.find((argument) => argument !== 'help' && !argument.startsWith('-'));
  for (const [usage, purpose, load] of rows) {
    const command = program.command(usage).description(purpose);
    command.showHelpAfterError(`Run \`skillful ${command.name()} --help\` for usage.`);
    if (command.name() === called) (await load()).define(command, io, answer);
  }
  // Commander would print the help of the program.
  if (argv[0] === 'help' && called !== undefined && !program.commands.some((command) => command.name() === called))
    program.error(`error: unknown command '${called}'`);
  return program;
}
