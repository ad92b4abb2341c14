// Finds the skill that a tool call is about. A model gets nothing of one that a person must agree to first, until it is active.

import type { Catalog } from '../catalog/catalog.ts';
import { renderApprovalNeeded } from '../disclosure/answers.ts';
import { nameInWrapper } from '../disclosure/wrapper-name.ts';
import type { Skill } from '../skill/skill.ts';
import { refuse } from './create-tool.ts';
import { type Offer, resolveOffered, skillsOf, usableCatalog } from './offer.ts';
import type { ToolServices } from './setting.ts';
import type { SkillContext, SkillToolResult } from './tool.ts';
import { isActive, type TrackedSkills } from './track.ts';

/** A skill and where it was found, or the answer that explains to a model why it gets nothing of it. */
export type CalledSkill =
  | {
      readonly skill: Skill;
      readonly catalog: Catalog;
      readonly offer: Offer;
      readonly tracked: TrackedSkills;
      readonly refusal?: never;
    }
  | { readonly refusal: SkillToolResult };

/** Finds the skill of a call that gives a model instructions, files or what a script writes. */
export async function findCalled(
  name: string | undefined,
  services: Pick<ToolServices, 'offerFor' | 'trackIn' | 'emit'>,
  context: SkillContext,
): Promise<CalledSkill> {
  const offer = await services.offerFor(context);
  const tracked = services.trackIn(offer, context);
  const catalog = usableCatalog(offer, tracked, context);
  const found = resolveOffered(catalog, name ?? '');
  if (found.refusal !== undefined) return found;
  const { skill } = found;
  const inWrapper = nameInWrapper(offer.reachable, skill);
  if (!offer.offered.has(skill) || offer.allowed.has(skill) || isActive(tracked, inWrapper)) {
    return { skill, catalog, offer, tracked };
  }
  services.emit({ type: 'approval-needed', skill: skill.name, tokens: 0 }, context);
  const isNamable = tracked.canMention && skillsOf(offer.named).has(skill) && skill.properties.userInvocable;
  return { refusal: refuse('approval-needed', renderApprovalNeeded(inWrapper, isNamable)) };
}
