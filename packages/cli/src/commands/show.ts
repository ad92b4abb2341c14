// `skillful show` prints the instructions of one skill, exactly as the model gets them.

import { activateSkill } from '@skillful/core';
import { createFileCheck } from '@skillful/core/extending';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { findSkill } from '../loading/find.ts';
import { addSkillOptions, type JsonOptions } from '../loading/options.ts';
import { findRestriction, loadSkills } from '../loading/skills.ts';
import { writeDiagnostics } from '../terminal/diagnostics.ts';
import { writeJson, writeText } from '../terminal/output.ts';
import { terminalLine } from '../terminal/text.ts';

/** Defines the command `show`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addSkillOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful show commit-messages --root ./skills')
    .action(async (name: string, options: JsonOptions) => answer(await show(name, options, io)));
}

async function show(name: string, options: JsonOptions, io: CommandLine): Promise<ExitCode> {
  const { catalog, policy, reasonAgainst } = await loadSkills(options, io);
  const skill = findSkill(catalog, name, io);
  const given = { catalog, checkPath: createFileCheck(policy, skill, 'read'), readTool: 'read_skill_resource' };
  const { text, resources, digest, diagnostics } = await activateSkill(skill, given);
  writeDiagnostics(diagnostics, io);
  const reason = reasonAgainst(skill);
  const restriction = findRestriction(skill);
  if (reason !== undefined) io.stderr.write(`The model does not get this. ${terminalLine(reason)}\n`);
  else if (restriction !== undefined) io.stderr.write(`The model is not offered this. ${restriction}\n`);
  if (resources.truncated) io.stderr.write('The skill has more files than listed.\n');
  if (options.json === true) writeJson({ skill: skill.name, text, resources: resources.files, digest }, io);
  else writeText(text, io);
  return 0;
}
