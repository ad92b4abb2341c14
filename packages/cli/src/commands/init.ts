// `skillful init` creates a directory for skills, with a README that explains it.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { withPathInError } from '../loading/change-settings.ts';
import { addPlaceOptions, findPlace, finish, type PlaceOptions } from './managing.ts';

const readme = `# Skills

Each directory here is a skill: a folder with a \`SKILL.md\` that tells an agent how to do something.

    <name>/SKILL.md      what the skill is for, and the instructions
    <name>/references/   documents that the instructions refer to
    <name>/scripts/      programs that they refer to
    <name>/assets/       other files

A \`SKILL.md\` starts with its name, which is the name of its folder, and with a description that says what the skill does
and when to use it:

    ---
    name: release-notes
    description: Writes release notes from the git history. Use when a version is about to be published.
    ---

    1. List the commits since the last tag.
    2. Group them by what they mean for users.

The format is described at https://agentskills.io/specification.
`;

/** Defines the command `init`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addPlaceOptions(command)
    .addHelpText('after', '\nExample:\n  $ skillful init --scope project')
    .action(async (options: PlaceOptions) => answer(await init(options, io)));
}

async function init(options: PlaceOptions, io: CommandLine): Promise<ExitCode> {
  const place = await findPlace(options, io);
  const { directory, project } = place;
  const path = join(directory, 'README.md');
  const isNew = !existsSync(directory);
  if (!existsSync(path)) await withPathInError(path, replaceFile(path, readme, { mode: 0o666, within: project?.root }));
  const words = isNew ? 'Created the skills directory' : 'The skills directory already exists';
  await finish(words, directory, place, options, io);
  const create = `skillful new NAME${project === undefined ? '' : ' --scope project'}`;
  if (isNew) io.stderr.write(`Create a skill in it with \`${create}\`.\n`);
  return 0;
}
