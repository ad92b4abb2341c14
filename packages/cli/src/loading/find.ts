// Finds the one skill that a command is about, or says in words why there is none.

import { type Catalog, qualifiedName, resolveSkill, type Skill, SkillError } from '@skillful/core';
import type { CommandLine } from '../command-line.ts';
import { writeDiagnostics } from '../terminal/diagnostics.ts';

/**
 * Finds the skill that a name means. Where there is none, what the catalog knows of that name goes to standard error.
 *
 * @throws {SkillError} `skill-unknown`, `skill-ambiguous`
 */
export function findSkill(catalog: Catalog, name: string, io: CommandLine): Skill {
  const resolution = resolveSkill(catalog, name);
  if (resolution.kind === 'found') return resolution.skill;
  if (resolution.kind === 'ambiguous') {
    const names = quoteNames(resolution.candidates.map(qualifiedName));
    throw new SkillError('skill-ambiguous', `\`${name}\` could be ${names}. Use one of these names.`);
  }
  const locations = new Set(
    catalog.rejected
      .filter((rejected) => rejected.name === name || lastSegment(rejected.directory) === name)
      .map(({ location }) => location),
  );
  const withheld = catalog.diagnostics.filter(({ code }) => code === 'source-untrusted');
  const found = catalog.diagnostics.filter(({ location }) => locations.has(location));
  writeDiagnostics([...found, ...withheld], io);
  if (locations.size > 0) {
    throw new SkillError('skill-unknown', `\`${name}\` was found but cannot be loaded. Correct what is said above.`);
  }
  const advice =
    resolution.suggestions.length > 0
      ? `Did you mean ${quoteNames(resolution.suggestions)}?`
      : 'Run `skillful list` to see the skills that there are.';
  throw new SkillError('skill-unknown', `No skill \`${name}\`. ${advice}`);
}

/** Joins names for a sentence: `` `a` or `b` ``. */
export function quoteNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' or ');
}

function lastSegment(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
