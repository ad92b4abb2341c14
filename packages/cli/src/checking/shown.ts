// How much of each skill the model is shown: what `doctor` adds to whether it sees the skill at all.

import { type PlannedSkill, planCatalog, type SkillVisibility } from '@skillful/core';
import type { LoadedSkills } from '../loading/skills.ts';

/** What the catalog text holds of one skill, with the budget that applies unless another is given. */
export interface Shown {
  readonly showing: SkillVisibility;
  /** Estimated cost of its entry. */
  readonly tokens: number;
  /** What cut it; `null` where it is shown whole. */
  readonly cut: string | null;
}

/** Plans the catalog as `prompt` does and gives what is shown of the skills that are offered, by location. */
export function planShown({ catalog, isEnabled }: LoadedSkills): ReadonlyMap<string, Shown> {
  const { skills } = planCatalog(catalog, { show: (skill) => (isEnabled(skill) ? undefined : 'hidden') });
  return new Map(
    skills
      .filter(({ showing }) => showing !== 'hidden')
      .map(({ skill, showing, tokens, cut }) => [skill.location, { showing, tokens, cut: cut ?? null }]),
  );
}

const words: ReadonlyMap<PlannedSkill['showing'], string> = new Map([
  ['full', 'The model sees a part of its description'],
  ['name-only', 'The model sees its name, and not its description'],
  ['deferred', 'The model finds it by a search only'],
]);

/** Says what the model does not see of a skill, and why; undefined where it sees all. */
export function describeCut({ showing, cut }: Shown): string | undefined {
  const what = words.get(showing);
  if (cut === null || what === undefined) return undefined;
  const why =
    cut === 'entry-limit' ? 'it is longer than an entry may be' : 'all skills together would exceed the budget';
  return `${what}: ${why}. \`skillful prompt --json\` shows what each costs.`;
}
