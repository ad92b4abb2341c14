// `skillful read` prints the exact bytes of one bundled file.

import { isSkillError, readSkillResource, SkillError } from '@skillful/core';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { findSkill } from '../loading/find.ts';
import { addSkillOptions, type SkillOptions } from '../loading/options.ts';
import { loadSkills } from '../loading/skills.ts';
import { quote } from '../terminal/output.ts';

/** Bytes of the largest file that is printed. More than a model may read, because here the file only has to fit into memory. */
const maxBytes = 1024 ** 3;

/** Defines the command `read`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addSkillOptions(command)
    .addHelpText('after', '\nExample:\n  $ skillful read commit-messages references/examples.md --root ./skills')
    .action(async (name: string, path: string, options: SkillOptions) => answer(await read(name, path, options, io)));
}

async function read(name: string, path: string, options: SkillOptions, io: CommandLine): Promise<ExitCode> {
  const { catalog } = await loadSkills(options, io);
  const skill = findSkill(catalog, name, io);
  try {
    io.stdout.write((await readSkillResource(skill, path, { maxBytes })).data);
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'resource-unknown') throw error;
    const advice = `Run \`skillful show ${quote(name)}\` to see its files.`;
    throw new SkillError(error.code, `${error.message} ${advice}`, { cause: error });
  }
  return 0;
}
