// Decides which skills a model, a user or the application may know about.

import { assertCatalog, type Catalog, skillsOf } from '../catalog/catalog.ts';
import { createInnerCheck } from '../catalog/inner-skill.ts';
import { nameKey } from '../catalog/names.ts';
import type { ActiveSkill } from '../conversation/conversation.ts';
import type { SkillEvent } from '../conversation/event.ts';
import { activeIn, type TrackedSkills } from '../conversation/tracked.ts';
import { describeSkill } from '../disclosure/description.ts';
import { type CatalogPlan, isForModels, type PlanCatalogOptions, planCatalog } from '../disclosure/plan.ts';
import { findActive, isDenied } from '../disclosure/wrapper-name.ts';
import { bothChecks, createFileCheck } from '../policy/file-check.ts';
import { assertPolicy, explainPolicy, type PolicyAction, type SkillActor, type SkillPolicy } from '../policy/policy.ts';
import { getOrCreate } from '../runtime/get-or-create.ts';
import type { FileCheck } from '../skill/files.ts';
import type { Skill } from '../skill/skill.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { SkillContext } from './tools/tool.ts';

/** The skills that are offered in one request, and how much of each the model is shown. */
export interface Offer {
  /** The catalog before anything is left out. */
  readonly all: Catalog;
  /** The skills that the model may know about and activate. */
  readonly forModel: Catalog;
  /** The skills of `forModel`, including shadowed ones. */
  readonly offered: ReadonlySet<Skill>;
  /** The skills of `offered` that the model may activate without a person's consent. */
  readonly withoutConsent: ReadonlySet<Skill>;
  /** The skills that a user may activate by naming them. */
  readonly forUser: Catalog;
  /** The skills that the application may activate. */
  readonly forCode: Catalog;
  /** The skills that the model, a user or the application may activate. Once a skill is active, the model may read its files. */
  readonly forAnyone: Catalog;
  /** How much of each skill of `forModel` the model is shown. */
  readonly plan: CatalogPlan;
  /**
   * Creates a check that refuses files in a skill that belong to another skill or that a rule denies; undefined if there can be
   * none.
   */
  readonly checkFiles: (skill: Skill, action: 'read' | 'run') => FileCheck | undefined;
}

/** Returns a catalog that contains only some of the skills, as if the others did not exist. */
function filterCatalog(catalog: Catalog, isKept: (skill: Skill) => boolean): Catalog {
  return {
    ...catalog,
    skills: catalog.skills.filter(isKept),
    shadowed: catalog.shadowed.filter(({ skill }) => isKept(skill)),
  };
}

/** Lists the active skills of a conversation, without those that are denied now. A skill that only left the catalog counts. */
export function allowedIn({ all, forAnyone }: Offer, tracked: TrackedSkills): readonly ActiveSkill[] {
  return activeIn(tracked).filter(({ name }) => !isDenied(name, forAnyone, all));
}

/** Returns the skills that are active in a conversation and still in the catalog. */
export function activeSkills({ forAnyone }: Offer, tracked: TrackedSkills): readonly Skill[] {
  return activeIn(tracked).flatMap(({ name }) => findActive(forAnyone, name) ?? []);
}

/**
 * Returns the skills that a model may use in a conversation: those offered, and those that a user or the application activated.
 * In a replay, this includes every skill that users may activate, unless the call was refused.
 */
export function usableCatalog(offer: Offer, tracked: TrackedSkills, { replay, refusedWith }: SkillContext): Catalog {
  const { forModel, offered, forUser, forAnyone } = offer;
  const isNamed = ({ properties }: Skill) => tracked.sign !== undefined && properties.userInvocable !== false;
  const isAnyNamed = replay === true && refusedWith === undefined;
  const others = new Set([...activeSkills(offer, tracked), ...(isAnyNamed ? forUser.skills.filter(isNamed) : [])]);
  if ([...others].every((skill) => offered.has(skill))) return forModel;
  return filterCatalog(forAnyone, (skill) => offered.has(skill) || others.has(skill));
}

/** Checks whether a person must agree before the model activates some skill. */
export function asksToActivate({ offered, withoutConsent }: Offer): boolean {
  return offered.size > withoutConsent.size;
}

/** Describes the size of an offer as an event. Without the tool to activate skills, a call offers none. */
export function describeOffered({ plan }: Offer, canActivate: boolean): SkillEvent {
  if (!canActivate) return { type: 'offered', skills: 0, tokens: 0 };
  const { length: skills } = plan.skills.filter(({ tokens }) => tokens > 0);
  return { type: 'offered', skills, tokens: plan.tokens };
}

/** Describes each cut in an offer as an event. Estimates the tokens, because a tokenizer needs seconds for thousands of skills. */
export function describeCuts({ plan }: Offer): readonly SkillEvent[] {
  return plan.skills.flatMap(({ skill, cut, description }): readonly SkillEvent[] => {
    if (cut === undefined || cut === 'choice') return [];
    const { line } = describeSkill(skill, Number.POSITIVE_INFINITY);
    return [
      { type: 'cut', skill: skill.name, reason: cut, tokens: estimateTokens(line) - estimateTokens(description) },
    ];
  });
}

/** Describes as events which skills of the framework a catalog lacks. A withheld skill is not missing. */
export function describeMissing({ all }: Offer, replaced: readonly string[] = []): readonly SkillEvent[] {
  const known = new Set([...skillsOf(all), ...all.withheld.map(({ skill }) => skill)].map(({ name }) => nameKey(name)));
  return replaced
    .filter((name) => !known.has(nameKey(name)))
    .map((skill) => ({ type: 'skill-missing', skill, tokens: 0 }));
}

/** Creates a function that computes the offer of a catalog under a policy, once for each pair. */
export function createOffers(planOptions: PlanCatalogOptions): (catalog: Catalog, policy: SkillPolicy) => Offer {
  const offers = new WeakMap<SkillPolicy, WeakMap<Catalog, Offer>>();
  return (catalog, policy) => {
    assertCatalog(catalog);
    if (!offers.has(policy)) assertPolicy(policy);
    const ofPolicy = getOrCreate(offers, policy, () => new WeakMap<Catalog, Offer>());
    return getOrCreate(ofPolicy, catalog, () => createOffer(catalog, policy, planOptions));
  };
}

function createOffer(all: Catalog, policy: SkillPolicy, planOptions: PlanCatalogOptions): Offer {
  const may = (actor: SkillActor, action: PolicyAction) => (skill: Skill) =>
    explainPolicy(policy, skill, { actor, action }).effect !== 'deny';
  const visible = filterCatalog(all, (skill) => planOptions.show?.(skill) !== 'hidden');
  const listed = filterCatalog(visible, (skill) => isForModels(skill) && may('model', 'list')(skill));
  const forModel = filterCatalog(listed, may('model', 'activate'));
  const knownTo = (actor: SkillActor) =>
    filterCatalog(visible, (skill) => may(actor, 'list')(skill) && may(actor, 'activate')(skill));
  const forUser = knownTo('user');
  const forCode = knownTo('code');
  const offered = new Set(skillsOf(forModel));
  const request = { actor: 'model', action: 'activate' } as const;
  const withoutConsent = new Set(
    [...offered].filter((skill) => explainPolicy(policy, skill, request).effect === 'allow'),
  );
  const any = new Set([...offered, ...skillsOf(forUser), ...skillsOf(forCode)]);
  const forAnyone = filterCatalog(visible, (skill) => any.has(skill));
  const checkFiles: Offer['checkFiles'] = (skill, action) =>
    bothChecks(createInnerCheck(all, skill), createFileCheck(policy, skill, action));
  const plan = planCatalog(forModel, planOptions);
  return { all, forModel, offered, withoutConsent, forUser, forCode, forAnyone, plan, checkFiles };
}
