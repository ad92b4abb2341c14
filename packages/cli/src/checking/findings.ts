// Reports for every folder that was found whether and how much of the skill the model sees, and why not.

import { basename } from 'node:path';
import { type Diagnostic, type PlannedSkill, planCatalog, type Skill, type SkillVisibility } from '@skillful/core';
import { judge, type PolicyVerdict } from '../loading/policy.ts';
import { folderAt } from '../loading/skill-file.ts';
import { findRestriction, type LoadedSkills } from '../loading/skills.ts';
import { isAboutFolder } from '../terminal/diagnostics.ts';

/** The result for one skill folder. */
export interface Finding {
  readonly name: string;
  /** Path of the `SKILL.md`, or of the folder or link that is the problem. */
  readonly location: string;
  readonly offered: boolean;
  /** Why the skill is not offered; `null` if it is. */
  readonly reason: string | null;
  /** How much of the skill the model sees; `null` if it is not offered. */
  readonly shown: Shown | null;
  /** The decision of the policy; `null` if the folder is not a skill of the catalog. */
  readonly policy: PolicyVerdict | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Lists a finding for every folder, sorted by name and then by location. */
export function findingsOf(loaded: Omit<LoadedSkills, 'sources' | 'isEnabled'>): readonly Finding[] {
  const { catalog, policy, reasonAgainst } = loaded;
  const shown = planShown(loaded);
  const byLocation = Map.groupBy(catalog.diagnostics.filter(isAboutFolder), ({ location }) => location);
  const about = (location: string): readonly Diagnostic[] => byLocation.get(location) ?? [];
  const messageOf = (location: string, fits: (diagnostic: Diagnostic) => boolean): string =>
    about(location).find(fits)?.message ?? 'It cannot be loaded.';

  const describe = (
    { name, location }: Pick<Skill, 'name' | 'location'>,
    reason: string | null,
    verdict: PolicyVerdict | null = null,
  ): Finding => ({
    ...{ name, location, offered: reason === null, reason, shown: shown.get(location) ?? null },
    ...{ policy: verdict, diagnostics: about(location) },
  });
  const known = [
    ...catalog.skills.map((skill) => {
      return describe(skill, reasonAgainst(skill) ?? findRestriction(skill) ?? null, judge(policy, skill));
    }),
    ...catalog.shadowed.map(({ skill }) => {
      const reason = messageOf(skill.location, ({ code }) => code === 'skill-shadowed');
      return describe(skill, reason);
    }),
    ...catalog.rejected.map(({ name, directory, location }) => {
      const reason = messageOf(location, ({ severity }) => severity === 'error');
      return describe({ name: name ?? basename(directory), location }, reason);
    }),
  ];
  const locations = new Set(known.map(({ location }) => location));
  const others = [...byLocation.keys()]
    .filter((location) => !locations.has(location))
    .map((location) => {
      const reason = messageOf(location, () => true);
      return describe({ name: basename(folderAt(location)), location }, reason);
    });
  const keyOf = ({ name, location }: Finding): string => `${name}\0${location}`;
  return [...known, ...others].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** How the catalog text shows one skill with the default budget. */
interface Shown {
  readonly showing: SkillVisibility;
  readonly tokens: number;
  /** Why it was cut; `null` if it is shown whole. */
  readonly cut: string | null;
}

/** Plans the catalog as `prompt` does. Returns how each offered skill is shown, by location. */
function planShown({
  catalog,
  reasonAgainst,
}: Pick<LoadedSkills, 'catalog' | 'reasonAgainst'>): ReadonlyMap<string, Shown> {
  const { skills } = planCatalog(catalog, {
    show: (skill) => (reasonAgainst(skill) === undefined ? undefined : 'hidden'),
  });
  const listed = skills.filter(({ showing }) => showing !== 'hidden');
  return new Map(
    listed.map(({ skill, showing, tokens, cut }) => [skill.location, { showing, tokens, cut: cut ?? null }]),
  );
}

const words: ReadonlyMap<PlannedSkill['showing'], string> = new Map([
  ['full', 'The model sees part of its description'],
  ['name-only', 'The model sees its name but not its description'],
  ['deferred', 'The model only finds it by searching'],
]);

/** Describes what the model does not see of an offered skill and why; `undefined` if it sees everything. */
export function describeCut(shown: Finding['shown']): string | undefined {
  if (shown === null || shown.cut === null) return undefined;
  const what = words.get(shown.showing);
  const why = shown.cut === 'entry-limit' ? 'it is too long for one entry' : 'all skills together exceed the budget';
  return what && `${what}: ${why}.`;
}
