// `skillful read` prints the exact bytes of one bundled file.

import { readSkillResource } from '@skillful/core';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { findSkill, withFileAdvice } from '../loading/find.ts';
import { addSkillOptions, type SkillOptions } from '../loading/options.ts';
import { loadSkills } from '../loading/skills.ts';

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
  const { data } = await withFileAdvice(name, readSkillResource(skill, path, { maxBytes }));
  io.stdout.write(data);
  return 0;
}
