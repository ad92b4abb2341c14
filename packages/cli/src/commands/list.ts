// `skillful list` prints the skills of the catalog.

import { qualifiedName, type Skill } from '@skillful/core';
import type { Command } from 'commander';
import { findFlatSkillsIn } from '../checking/flat.ts';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { addSkillOptions, type JsonOptions } from '../loading/options.ts';
import { findRestriction, loadSkills } from '../loading/skills.ts';
import { writeProblems } from '../terminal/diagnostics.ts';
import { writeJson } from '../terminal/output.ts';
import { writeTable } from '../terminal/table.ts';
import { terminalProse } from '../terminal/text.ts';

/** Defines the command `list`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addSkillOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ skillful list --root ./skills')
    .action(async (options: JsonOptions) => answer(await list(options, io)));
}

async function list(options: JsonOptions, io: CommandLine): Promise<ExitCode> {
  const loaded = await loadSkills(options, io);
  const { catalog, isEnabled, reasonAgainst } = loaded;
  const diagnostics = [...catalog.diagnostics, ...findFlatSkillsIn(loaded.sources)];
  if (options.json === true) {
    const skills = catalog.skills.map((skill) => describe(skill, isEnabled(skill)));
    writeJson({ skills, diagnostics }, io);
    return 0;
  }
  const rows = catalog.skills.map((skill) => {
    const isOffered = (reasonAgainst(skill) ?? findRestriction(skill)) === undefined;
    const mark = isOffered ? '' : isEnabled(skill) ? ' (not offered)' : ' (off)';
    return [`${skill.name}${mark}`, skill.source.scope, skill.description].map(terminalProse);
  });
  if (rows.length > 0) writeTable(['NAME', 'SCOPE', 'DESCRIPTION'], rows, io);
  writeProblems({ ...loaded, catalog: { ...catalog, diagnostics } }, { roots: options.root }, io);
  return 0;
}

function describe(skill: Skill, enabled: boolean): Readonly<Record<string, string | boolean>> {
  const { name, description, source, directory, location, properties } = skill;
  return {
    name,
    id: qualifiedName(skill),
    description,
    scope: source.scope,
    source: source.id,
    directory,
    location,
    enabled,
    trusted: source.trusted,
    modelInvocable: findRestriction(skill) === undefined,
    userInvocable: properties.userInvocable,
  };
}
