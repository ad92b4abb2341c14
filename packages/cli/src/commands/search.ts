// `skillful search` finds the skills that match some words best, as a model does.

import { createSkillIndex } from '@skillful/core';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { addSkillOptions, type JsonOptions, parsePositive } from '../loading/options.ts';
import { findRestriction, loadSkills } from '../loading/skills.ts';
import { writeProblems } from '../terminal/diagnostics.ts';
import { writeJson } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';
import { terminalProse } from '../terminal/text.ts';

interface SearchOptions extends JsonOptions {
  readonly limit: number;
}

/** Defines the command `search`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addSkillOptions(command)
    .option('-n, --limit <number>', 'maximum number of matches', parsePositive, 5)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful search "write a commit message" -n 3')
    .action(async (query: string[], options: SearchOptions) => answer(await search(query.join(' '), options, io)));
}

async function search(query: string, options: SearchOptions, io: CommandLine): Promise<ExitCode> {
  const loaded = await loadSkills(options, io);
  const { catalog, reasonAgainst } = loaded;
  const offered = catalog.skills.filter((skill) => (reasonAgainst(skill) ?? findRestriction(skill)) === undefined);
  const matches = createSkillIndex(offered)
    .search(query, { limit: options.limit })
    .filter(({ band }) => band !== 'none')
    .map(({ skill, score }) => ({ name: skill.name, description: skill.description, score }));
  if (options.json === true) {
    writeJson(matches, io);
  } else if (matches.length > 0) {
    const rows = matches.map(({ name, description, score }) =>
      [name, score.toFixed(2), description].map(terminalProse),
    );
    writeTable(['NAME', 'SCORE', 'DESCRIPTION'], rows, io);
  } else if (catalog.skills.length > 0) {
    io.stderr.write('No skill matches. Run `skillful list` to see all skills.\n');
  }
  writeProblems(loaded, { roots: options.root, isBrief: true }, io);
  return 0;
}
