// Finds out how much of each skill the model sees, for `doctor`.

import { type PlannedSkill, planCatalog, type SkillVisibility } from '@skillful/core';
import type { LoadedSkills } from '../loading/skills.ts';

/** How the catalog text shows one skill with the default budget. */
export interface Shown {
  readonly showing: SkillVisibility;
  /** Estimated tokens of its entry. */
  readonly tokens: number;
  /** Why it was cut; `null` if it is shown whole. */
  readonly cut: string | null;
}

/** Plans the catalog as `prompt` does. Returns how each offered skill is shown, by location. */
export function planShown({
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

/** Describes what the model does not see of a skill and why; `undefined` if it sees everything. */
export function describeCut({ showing, cut }: Shown): string | undefined {
  const what = words.get(showing);
  if (cut === null || what === undefined) return undefined;
  const why = cut === 'entry-limit' ? 'it is too long for one entry' : 'all skills together exceed the budget';
  return `${what}: ${why}.`;
}
