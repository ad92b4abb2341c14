// Finds the skill that a command names, or explains why there is none.

import { basename } from 'node:path';
import {
  type Catalog,
  qualifiedName,
  type ResolveSkillOptions,
  resolveSkill,
  type Skill,
  SkillError,
} from '@skillful/core';
import type { CommandLine } from '../command-line.ts';
import { isAboutFolder, writeDiagnostics } from '../terminal/diagnostics.ts';
import { quote } from '../terminal/output.ts';
import { configurationFile } from './configuration.ts';
import { rewordError } from './reword-error.ts';
import { folderAt } from './skill-file.ts';

/**
 * Finds a skill by its name, or by a unique part of its name unless `parts` is false. If there is none, writes the problems with
 * skills of that name to standard error.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export function findSkill(
  catalog: Catalog,
  name: string,
  io: CommandLine,
  { parts = true }: ResolveSkillOptions = {},
): Skill {
  const resolution = resolveSkill(catalog, name, { parts });
  if (resolution.kind === 'found') return resolution.skill;
  if (resolution.kind === 'ambiguous') throw ambiguous(name, resolution.candidates.map(qualifiedName));
  const rejected = new Set(
    catalog.rejected.filter((each) => isCalled(each.name, name)).map(({ location }) => location),
  );
  // A configuration contains no skills.
  const isWithheld = catalog.diagnostics.some(
    ({ code, location }) => code === 'source-untrusted' && !location.endsWith(configurationFile),
  );
  // What keeps whole directories out of the catalog, such as `root-refused`.
  const unread = catalog.diagnostics.filter(
    (diagnostic) =>
      !isAboutFolder(diagnostic) && (diagnostic.severity === 'error' || diagnostic.code === 'source-untrusted'),
  );
  const found = catalog.diagnostics.filter((diagnostic) => {
    const { location } = diagnostic;
    return rejected.has(location) || (isAboutFolder(diagnostic) && isCalled(basename(folderAt(location)), name));
  });
  writeDiagnostics([...found, ...unread], io);
  // A loaded skill may have another name than its directory.
  const loaded = catalog.skills.filter((skill) => found.some(({ location }) => location === skill.location));
  if (found.some(({ location }) => !loaded.some((skill) => skill.location === location))) {
    throw new SkillError('skill-unknown', `\`${name}\` cannot be loaded. Fix the problems above.`);
  }
  const meant = [...new Set([...loaded.map((skill) => skill.name), ...resolution.suggestions])];
  const unknown = `No skill \`${name}\`${isWithheld ? ', but this project was not read, because it is not trusted' : ''}.`;
  const all = isWithheld ? '' : ' Run `skillful list` to see all skills.';
  const advice = meant.length > 0 ? ` Did you mean ${quoteNames(meant)}?` : all;
  throw new SkillError('skill-unknown', `${unknown}${advice}`);
}

/** Waits for work with a file of a skill. If the skill has no such file, adds to the error how to see its files. */
export function withFileAdvice<Result>(name: string, work: Promise<Result>): Promise<Result> {
  const advice = `Run \`skillful show ${quote(name)}\` to see its files.`;
  return rewordError(work, ({ code, message }) => (code === 'resource-unknown' ? `${message} ${advice}` : message));
}

/** Checks whether something that may not be loaded has a name, in any case. */
export function isCalled(own: string | undefined, name: string): boolean {
  return own?.toLowerCase() === name.toLowerCase();
}

const maxCandidates = 10;

/** Creates the error for a name that matches several skills. */
export function ambiguous(name: string, names: readonly string[]): SkillError {
  const some = names.slice(0, maxCandidates);
  const more = some.length === names.length ? '' : ` or ${names.length - some.length} more`;
  const message = `\`${name}\` could be ${quoteNames(some)}${more}. Use one of these names.`;
  return new SkillError('skill-ambiguous', message);
}

function quoteNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' or ');
}
