// What a model gets of a skill that a person must agree to first: nothing, until it is active.

import { renderApprovalNeeded } from '../disclosure/answers.ts';
import { nameInWrapper } from '../disclosure/wrapper-name.ts';
import type { Skill } from '../skill/skill.ts';
import { refuse } from './create-tool.ts';
import { type Offer, skillsOf } from './offer.ts';
import type { ToolServices } from './setting.ts';
import type { SkillContext, SkillToolResult } from './tool.ts';
import { isActive, type TrackedSkills } from './track.ts';

/** Returns the refusal of a call about such a skill; `undefined` if the model may have it, or has it already. */
export function refuseWithoutConsent(
  skill: Skill,
  offer: Offer,
  tracked: TrackedSkills,
  { context, emit }: { readonly context: SkillContext; readonly emit: ToolServices['emit'] },
): SkillToolResult | undefined {
  const name = nameInWrapper(offer.reachable, skill);
  if (!offer.offered.has(skill) || offer.allowed.has(skill) || isActive(tracked, name)) return undefined;
  emit({ type: 'approval-needed', skill: skill.name, tokens: 0 }, context);
  const isNamable = tracked.canMention && skillsOf(offer.named).has(skill) && skill.properties.userInvocable;
  return refuse('approval-needed', renderApprovalNeeded(name, isNamable));
}
