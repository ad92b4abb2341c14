// `skillful` without arguments shows what it finds here, and what to do next.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandLine, ExitCode } from '../command-line.ts';
import { entriesOf } from '../loading/entries.ts';
import { loadSkills } from '../loading/skills.ts';
import { count } from '../terminal/output.ts';
import { createStylist } from '../terminal/style.ts';
import { padText } from '../terminal/table.ts';
import { terminalLine } from '../terminal/text.ts';
import { readVersion } from '../version.ts';

const nothing = 'No skills found here. A skill is a folder with a SKILL.md that tells an agent how to do something.';

/** Writes the overview. */
export async function overview(io: CommandLine): Promise<ExitCode> {
  const { catalog, places } = await loadSkills({ root: [] }, io);
  const { skills, rejected, diagnostics } = catalog;
  const isWithheld = diagnostics.some(({ code }) => code === 'source-untrusted');
  const folder = join(io.cwd, 'skills');
  const isBeside = !places.includes(folder) && hasSkills(folder);
  const isWithSkills =
    isWithheld || isBeside || [...skills, ...rejected].some(({ source }) => source.scope === 'project');
  const scopes = [...Map.groupBy(skills, ({ source }) => source.scope)].map(
    ([scope, { length }]) => `${length} ${scope}`,
  );
  const lines = [
    `skillful ${readVersion()} finds, checks and shows Agent Skills exactly as an agent gets them.`,
    '',
    ...(skills.length > 0 ? [`${count(skills.length, 'skill')} found here: ${scopes.join(', ')}.`] : []),
    ...(skills.length === 0 && !isWithheld && !isBeside ? [nothing] : []),
    ...(rejected.length === 0 ? [] : [`${count(rejected.length, 'folder')} could not be loaded.`]),
    ...(isWithheld ? ['This project contains skills or settings, which are skipped until you trust it.'] : []),
    ...(isBeside ? ['The folder `skills` contains skills, but it is not searched by default.'] : []),
    '',
    'Next:',
  ];
  const [first] = skills;
  const steps: readonly (readonly [command: string, purpose: string])[] = [
    ...(isWithheld ? [['trust', 'use the skills of this project'] as const] : []),
    ...(rejected.length > 0 ? [['doctor', 'see why skills are missing'] as const] : []),
    ...(isBeside ? [['list --root skills', 'list the skills in that folder'] as const] : []),
    ...(first === undefined
      ? [
          ['new my-skill', 'create a skill for all your projects'] as const,
          ['new my-skill --scope project', 'create a skill for this project'] as const,
        ]
      : [['list', 'list them'] as const, [`show ${terminalLine(first.name)}`, 'see what the model gets'] as const]),
    ...(isWithSkills ? [['validate', 'check the skills of this project'] as const] : []),
    ['--help', 'see all commands'],
  ];
  const style = createStylist(io.stdout, io);
  const width = Math.max(...steps.map(([command]) => command.length));
  const next = steps.map(([command, purpose]) => `  skillful ${padText(command, width)}  ${style('dim', purpose)}`);
  io.stdout.write(`${[...lines, ...next].join('\n')}\n`);
  return 0;
}

/** Checks whether a folder contains skills, by names only. */
function hasSkills(folder: string): boolean {
  return entriesOf(folder)?.some(({ name }) => existsSync(join(folder, name, 'SKILL.md'))) ?? false;
}
