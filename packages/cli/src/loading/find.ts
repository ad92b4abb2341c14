// Finds the skill that a command names, or explains why there is none.

import { basename } from 'node:path';
import {
  type Catalog,
  type Diagnostic,
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
  const problems = problemsWith(catalog, name);
  writeDiagnostics([...problems, ...catalog.diagnostics.filter(keepsFoldersOut)], io);
  // A loaded skill may have another name than its directory.
  const loaded = catalog.skills.filter((skill) => problems.some(({ location }) => location === skill.location));
  const areAllLoaded = problems.every(({ location }) => loaded.some((skill) => skill.location === location));
  const message = areAllLoaded
    ? explainUnknown(catalog, name, [...loaded.map((skill) => skill.name), ...resolution.suggestions])
    : `\`${name}\` cannot be loaded. Fix the problems above.`;
  throw new SkillError('skill-unknown', message);
}

/** Returns the problems with skills that have a name, or are in a folder that has it. */
function problemsWith({ rejected, diagnostics }: Catalog, name: string): readonly Diagnostic[] {
  const called = rejected.filter((each) => isCalled(each.name, name));
  return diagnostics.filter((diagnostic) => {
    const { location } = diagnostic;
    const isInFolder = isAboutFolder(diagnostic) && isCalled(basename(folderAt(location)), name);
    return isInFolder || called.some((skill) => skill.location === location);
  });
}

/** Checks whether a problem keeps whole directories out of the catalog, as `root-refused` does. */
function keepsFoldersOut(diagnostic: Diagnostic): boolean {
  return !isAboutFolder(diagnostic) && (diagnostic.severity === 'error' || diagnostic.code === 'source-untrusted');
}

function explainUnknown({ diagnostics }: Catalog, name: string, similar: readonly string[]): string {
  // A configuration contains no skills.
  const isWithheld = diagnostics.some(
    ({ code, location }) => code === 'source-untrusted' && !location.endsWith(configurationFile),
  );
  const unknown = `No skill \`${name}\`${isWithheld ? ', but this project was not read, because it is not trusted' : ''}.`;
  if (similar.length > 0) return `${unknown} Did you mean ${quoteNames([...new Set(similar)])}?`;
  return isWithheld ? unknown : `${unknown} Run \`skillful list\` to see all skills.`;
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
