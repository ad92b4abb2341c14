// `skillful prompt`: what stands in the system prompt, to the letter.

import { createToolkit, estimateTokens } from '@skillful/core';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { loadChosenCatalog } from '../find-skill.ts';
import { writeJson } from '../json.ts';
import { writeProblems } from '../problems.ts';
import { addSkillOptions, type SkillOptions } from '../skill-options.ts';
import { writeText } from '../write-text.ts';

interface PromptOptions extends SkillOptions {
  readonly json?: boolean;
}

/** Adds `prompt` to the program. */
export function definePrompt(program: Command, io: CommandLine, answer: Answer): void {
  addSkillOptions(program.command('prompt').description('print what the model is told about the skills'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful prompt --root ./skills')
    .action(async (options: PromptOptions) => answer(await prompt(options, io)));
}

async function prompt(options: PromptOptions, io: CommandLine): Promise<ExitCode> {
  const catalog = await loadChosenCatalog(options, io);
  const { instructions: text } = await createToolkit(catalog).disclose();
  writeProblems(catalog, io);
  if (options.json === true) writeJson({ text, tokens: estimateTokens(text) }, io);
  else writeText(text, io);
  return 0;
}
