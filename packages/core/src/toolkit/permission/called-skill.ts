// Finds the skill that a tool call is about. If a person must agree first, a model gets nothing of it until they have.

import type { Catalog } from '../../catalog/catalog.ts';
import { isActive, type TrackedSkills } from '../../conversation/track.ts';
import { renderApprovalNeeded, renderReadDenied, renderRunDenied } from '../../disclosure/answers.ts';
import { nameInWrapper } from '../../disclosure/wrapper-name.ts';
import { explainPolicy } from '../../policy/policy.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { readContents, type SkillContents } from '../../scripts/contents.ts';
import { unknownScript } from '../../scripts/plan.ts';
import { unknownFile } from '../../skill/paths.ts';
import type { Skill } from '../../skill/skill.ts';
import { type Offer, resolveOffered, skillsOf, usableCatalog } from '../offer.ts';
import type { ToolServices } from '../setting.ts';
import { refuse } from '../tools/create-tool.ts';
import type { SkillContext, SkillToolResult } from '../tools/tool.ts';

/** A skill and where it was found. */
export interface KnownSkill {
  readonly skill: Skill;
  /** As in the wrapper of its text. */
  readonly name: string;
  readonly catalog: Catalog;
  readonly offer: Offer;
  readonly tracked: TrackedSkills;
  /** Whether a person must agree before the model activates it, and has not done so for its files as they are. */
  readonly needsConsent: boolean;
  /** The files of the skill as they are, if a person agreed to just these: the model may get nothing else. */
  readonly agreed: SkillContents | undefined;
  readonly refusal?: never;
}

/** A skill, or the answer that explains to a model why its name matches none. */
export type CalledSkill = KnownSkill | { readonly refusal: SkillToolResult };

/** Finds the skill of a call that gives a model instructions, files or what a script writes. */
export async function findCalled(
  named: string | undefined,
  services: Pick<ToolServices, 'offerFor' | 'trackIn' | 'approvals'>,
  context: SkillContext,
): Promise<CalledSkill> {
  const offer = await services.offerFor(context);
  const tracked = await services.trackIn(offer, context);
  const catalog = usableCatalog(offer, tracked, context);
  const found = resolveOffered(catalog, named ?? '');
  if (found.refusal !== undefined) return found;
  const { skill } = found;
  const name = nameInWrapper(offer.reachable, skill);
  // A skill that the model is not offered was activated by a user or the application, who thereby agreed.
  const isFree = !offer.offered.has(skill) || offer.allowed.has(skill);
  const { call, replay } = context;
  const given = replay && call !== undefined ? await services.approvals.given(call, skill, name, context) : undefined;
  const consent = given?.digest ?? tracked.records.get(name)?.consent;
  const isBegun = isFree || given !== undefined || isActive(tracked, name);
  const agreed = !isFree && isBegun && consent !== undefined ? await readAgreed(skill, consent, context) : undefined;
  const needsConsent = !isBegun || (!isFree && consent !== undefined && agreed === undefined);
  return { skill, name, catalog, offer, tracked, needsConsent, agreed };
}

/** Returns the contents of a skill if they are still those of a digest that a person agreed to. */
export async function readAgreed(
  skill: Skill,
  consent: string,
  context: SkillContext,
): Promise<SkillContents | undefined> {
  const contents = await readContents(skill, context);
  return contents.digest === consent ? contents : undefined;
}

/** Like `findCalled`, for a call that gives a model more than the instructions: refused until a person agreed. */
export async function findUsable(
  named: string | undefined,
  services: Pick<ToolServices, 'offerFor' | 'trackIn' | 'approvals' | 'emit'>,
  context: SkillContext,
): Promise<CalledSkill> {
  const called = await findCalled(named, services, context);
  const isClosed = called.refusal === undefined && called.needsConsent;
  return isClosed ? { refusal: refuseUnasked(called, services, context) } : called;
}

/** Refuses what a person has not agreed to. */
export function refuseUnasked(
  called: KnownSkill,
  { emit }: Pick<ToolServices, 'emit'>,
  context: SkillContext,
): SkillToolResult {
  emit({ type: 'approval-needed', skill: called.skill.name, tokens: 0 }, context);
  return refuse('approval-needed', describeNeed(called));
}

/** Says that a person must agree, and how a user can. */
export function describeNeed({ skill, name, offer, tracked }: KnownSkill): string {
  const isNamable = tracked.canMention && skillsOf(offer.named).has(skill) && skill.properties.userInvocable;
  return renderApprovalNeeded(name, isNamable);
}

/**
 * Returns why a model may not read a file or run a script, or what a person agreed to with this very call; nothing if nobody
 * has to agree.
 */
export async function checkPolicy(
  request: ApprovalRequest & { readonly action: 'read' | 'run' },
  { policyFor, approvals, emit }: Pick<ToolServices, 'policyFor' | 'approvals' | 'emit'>,
  context: SkillContext,
): Promise<SkillContents | SkillToolResult | undefined> {
  const { skill, action, path } = request;
  const { effect, rule } = explainPolicy(policyFor(context), skill, { actor: 'model', action, path });
  if (effect === 'allow') return undefined;
  if (effect === 'deny' && rule?.path !== undefined && path !== undefined)
    throw action === 'read' ? unknownFile(path) : unknownScript(skill, path);
  const answer = effect === 'ask' && context.replay !== true ? await approvals.check(request, context) : 'unasked';
  if (answer !== 'unasked') return answer;
  if (effect === 'ask') emit({ type: 'approval-needed', skill: skill.name, tokens: 0 }, context);
  return refuse(`${action}-denied`, action === 'read' ? renderReadDenied(skill.name) : renderRunDenied(skill.name));
}
