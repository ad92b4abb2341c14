// What a model may know about, and the lookup of a name among just that.

import type { Catalog } from '../catalog/catalog.ts';
import { qualifiedName, resolveSkill } from '../catalog/resolve.ts';
import { renderAmbiguousSkill, renderUnknownSkill } from '../disclosure/answers.ts';
import { type CatalogPlan, isForModels, type PlanCatalogOptions, planCatalog } from '../disclosure/plan.ts';
import { findActive } from '../disclosure/wrapper-name.ts';
import type { Skill } from '../skill/skill.ts';
import type { CountTokens } from '../text/tokens.ts';
import { refuse } from './create-tool.ts';
import type { SkillEvent } from './event.ts';
import type { SkillContext, SkillToolResult } from './tool.ts';
import { activeNames, type TrackedSkills } from './track.ts';

/** What is offered in one request: the skills that the model may use, and how much of each it is shown. */
export interface Offer {
  readonly catalog: Catalog;
  /** The skills that a user and the application may activate, including those not for models; without hidden ones. */
  readonly reachable: Catalog;
  readonly plan: CatalogPlan;
}

/** Returns the catalog without some of its skills; for its user they do not exist. */
function filterCatalog(catalog: Catalog, isKept: (skill: Skill) => boolean): Catalog {
  return {
    ...catalog,
    skills: catalog.skills.filter(isKept),
    shadowed: catalog.shadowed.filter(({ skill }) => isKept(skill)),
  };
}

/**
 * Returns the skills that a model may use in a conversation: those offered, and those that a user or the application
 * activated. In a replay users may have activated any that they may.
 */
export function usableCatalog(
  { catalog, reachable }: Offer,
  tracked: TrackedSkills,
  { replay }: SkillContext = {},
): Catalog {
  const found = activeNames(tracked)
    .map((name) => findActive(reachable, name))
    .filter((skill) => skill !== undefined);
  const isNamed = ({ properties }: Skill) => tracked.canMention && properties.userInvocable !== false;
  const named = replay === true ? reachable.skills.filter(isNamed) : [];
  const beside = new Set([...found, ...named]);
  if ([...beside].every(isForModels)) return catalog;
  return filterCatalog(reachable, (skill) => isForModels(skill) || beside.has(skill));
}

/** A skill, or the answer that explains to a model why its name matches none. */
export type Found = { readonly skill: Skill; readonly refusal?: never } | { readonly refusal: SkillToolResult };

/** Looks up a name in what is offered. */
export function resolveOffered(offered: Catalog, name: string): Found {
  const resolution = resolveSkill(offered, name);
  switch (resolution.kind) {
    case 'found':
      return { skill: resolution.skill };
    case 'ambiguous':
      return {
        refusal: refuse('skill-ambiguous', renderAmbiguousSkill(name, resolution.candidates.map(qualifiedName))),
      };
    case 'unknown': {
      const available = offered.skills.map((skill) => skill.name);
      return { refusal: refuse('skill-unknown', renderUnknownSkill(name, resolution.suggestions, available)) };
    }
  }
}

/** Says what an offer shows, and what its budget cut. */
export function describeOffer({ plan }: Offer, countTokens: CountTokens): readonly SkillEvent[] {
  const shown = plan.skills.filter(({ tokens }) => tokens > 0).length;
  const cuts = plan.skills.flatMap(({ skill, cut, description }): readonly SkillEvent[] => {
    if (cut === undefined || cut === 'choice' || cut === 'not-for-models') return [];
    const tokens = countTokens(skill.description) - countTokens(description);
    return [{ type: 'cut', skill: skill.name, reason: cut, tokens }];
  });
  return [{ type: 'offered', skills: shown, tokens: plan.tokens }, ...cuts];
}

/** Creates a function that works out the offer of a catalog, once for each. */
export function createOffers(planOptions: PlanCatalogOptions): (catalog: Catalog) => Offer {
  const offers = new WeakMap<Catalog, Offer>();
  return (catalog) => {
    const known = offers.get(catalog);
    if (known !== undefined) return known;
    const reachable = filterCatalog(catalog, (skill) => planOptions.show?.(skill) !== 'hidden');
    const offered = filterCatalog(reachable, isForModels);
    const offer = { catalog: offered, reachable, plan: planCatalog(offered, planOptions) };
    offers.set(catalog, offer);
    return offer;
  };
}
