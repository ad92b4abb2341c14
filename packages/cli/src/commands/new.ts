// `skillful new` creates a skill to start from.

import { basename, dirname, join } from 'node:path';
import { findSkillAt, writeSkill } from '@skillful/core/node';
import type { Command } from 'commander';
import type { Answer, CommandLine, ExitCode } from '../command-line.ts';
import { withPathInError } from '../loading/change-settings.ts';
import { loadSkills } from '../loading/skills.ts';
import { writeDiagnostics } from '../terminal/diagnostics.ts';
import { quote, showPath } from '../terminal/output.ts';
import { addPlaceOptions, findPlace, finish, type Place, type PlaceOptions } from './managing.ts';

interface NewOptions extends PlaceOptions {
  readonly description?: string;
  readonly instructions?: string;
}

/** Defines the command `new`. */
export function define(command: Command, io: CommandLine, answer: Answer): void {
  addPlaceOptions(command)
    .option('--description <text>', 'what the skill does and when to use it')
    .option('--instructions <markdown>', 'what the model gets when it activates the skill')
    .addHelpText(
      'after',
      '\nExample:\n  $ skillful new weekly-report --description "Writes the weekly report. Use on Fridays."',
    )
    .action(async (name: string, options: NewOptions) => answer(await create(name, options, io)));
}

async function create(name: string, options: NewOptions, io: CommandLine): Promise<ExitCode> {
  const place = await findPlace(options, io);
  const { directory, project } = place;
  const draft = {
    name,
    description: options.description ?? 'TODO: one sentence on what this skill does, then "Use when …".',
    instructions: options.instructions ?? `# ${name}\n\nTODO: write the steps.`,
  };
  const writing = writeSkill(directory, draft, { within: project?.root });
  const { location } = await withPathInError(join(directory, name, 'SKILL.md'), writing);
  await finish('Created', location, place, options, io);
  await explainUse(location, place, options, io);
  if (options.description === undefined) {
    const check = `skillful validate ${quote(showPath(dirname(location), io.cwd))}`;
    io.stderr.write(`Its description is a TODO: say what the skill does and when to use it. \`${check}\` checks it.\n`);
  }
  return 0;
}

/** Says if a created skill is shadowed, switched off, or not found here. */
async function explainUse(
  location: string,
  { directory, project }: Place,
  { scope, cwd }: NewOptions,
  io: CommandLine,
): Promise<void> {
  const { catalog, places, isEnabled } = await loadSkills({ root: [], cwd }, io);
  const skill = await findSkillAt(catalog, location);
  if (skill !== undefined) {
    writeDiagnostics(
      catalog.diagnostics.filter(({ code, location: place }) => code === 'skill-shadowed' && place === skill.location),
      io,
    );
    if (isEnabled(skill)) return;
    const enable = `skillful enable ${scope}:${skill.name}`;
    io.stderr.write(`It is switched off, as was an earlier skill of this name. \`${enable}\` switches it on.\n`);
  } else if (catalog.diagnostics.some(({ code }) => code === 'source-untrusted')) {
    if (project !== undefined) return;
    io.stderr.write(
      'It is not used until you trust this project, because `SKILLFUL_SKILLS_DIR` is a relative path. Run `skillful trust`.\n',
    );
  } else if (!places.includes(directory)) {
    // With `ancestors: false`, only the `.skillful/skills` of this directory itself is searched.
    const isAbove = project !== undefined && places.some((place) => basename(dirname(place)) === '.skillful');
    io.stderr.write(
      `It is not found here, because \`${isAbove ? 'ancestors' : 'client'}\` in \`.skillful/config.json\` leaves out its directory. Change that setting to use it.\n`,
    );
  }
}
