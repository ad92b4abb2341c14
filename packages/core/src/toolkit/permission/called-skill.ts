// Finds the skill that a tool call is about. If a person must agree first, a model gets nothing of it until they have.

import { skillsOf } from '../../catalog/catalog.ts';
import { isActive, type TrackedSkills } from '../../conversation/tracked.ts';
import { renderApprovalNeeded } from '../../disclosure/answers.ts';
import { nameInWrapper } from '../../disclosure/wrapper-name.ts';
import { explainPolicy } from '../../policy/policy.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import type { SkillContents } from '../../scripts/contents.ts';
import { unknownScript } from '../../scripts/plan.ts';
import { unknownFile } from '../../skill/paths.ts';
import type { Skill } from '../../skill/skill.ts';
import { type Offer, resolveOffered, usableCatalog } from '../offer.ts';
import type { CallParts, UsedSkills } from '../toolkit-parts.ts';
import { refuse, refuseSkill } from '../tools/create-tool.ts';
import type { SkillContext, SkillToolResult } from '../tools/tool.ts';
import { readAgreed, readAgreedDigests, readRecorded, takeAnswer } from './approval.ts';

/** A skill that a model named, and the moment at which it did. */
export interface NamedSkill {
  readonly skill: Skill;
  /** As in the wrapper of its text. */
  readonly name: string;
  readonly offer: Offer;
  readonly tracked: TrackedSkills;
  readonly contents: UsedSkills['contents'];
}

/** A skill, and what a person agreed to. */
export interface CalledSkill<Consent = SkillContents | 'needed' | undefined> extends NamedSkill {
  /**
   * The files of the skill as they are, if a person agreed to just these: the model may get nothing else. `needed` if nobody agreed
   * to them yet; nothing if nobody has to.
   */
  readonly consent: Consent;
}

/** Finds the skill that a model names. Returns the answer that explains to a model why it does not get one. */
export async function findNamed(named: string, parts: CallParts): Promise<NamedSkill | SkillToolResult> {
  const { context } = parts;
  const memory = parts.memoryOf(context);
  const using = (context.replay && memory.replayed) || findUsed(parts);
  if (context.replay) memory.replayed = using;
  const { offer, tracked, contents, usable } = await using;
  const found = resolveOffered(usable, named);
  const ofModel = context.replay ? resolveOffered(offer.forModel, named) : found;
  const wasActive = !('text' in found) && tracked.records.has(nameInWrapper(offer.forAnyone, found));
  // What users may have activated is found again, but never suggested, and what the model was offered comes first.
  const skill = 'text' in found || (!wasActive && !('text' in ofModel)) ? ofModel : found;
  if ('text' in skill) return skill;
  return { skill, name: nameInWrapper(offer.forAnyone, skill), offer, tracked, contents };
}

/** Finds what is offered, what is active, and the skills that a model may use because of both. */
export async function findUsed(parts: CallParts): Promise<UsedSkills> {
  const { context } = parts;
  const offer = await parts.offerFor(context);
  const tracked = await parts.track(offer, context);
  return { offer, tracked, usable: usableCatalog(offer, tracked, context), contents: new Map() };
}

/** Finds the skill of a call that gives a model instructions, files or what a script writes. */
export async function findCalled(named: string, parts: CallParts): Promise<CalledSkill | SkillToolResult> {
  const found = await findNamed(named, parts);
  if ('text' in found) return found;
  return { ...found, consent: await findConsent(found, parts) };
}

/** Finds what a person agreed to; nothing if nobody has to. */
async function findConsent(
  { skill, name, offer, tracked, contents }: NamedSkill,
  parts: CallParts,
): Promise<CalledSkill['consent']> {
  // A skill that the model is not offered was activated by a user or the application, who thereby agreed.
  if (!offer.offered.has(skill) || offer.withoutConsent.has(skill)) return undefined;
  const { context } = parts;
  const { call, replay } = context;
  const recorded = replay && call !== undefined ? await readRecorded(call, skill, name, parts) : undefined;
  if (recorded === undefined && !isActive(tracked, name)) return 'needed';
  const digest = recorded?.digest ?? tracked.records.get(name)?.consent;
  return digest === undefined ? undefined : ((await readOnce({ skill, name, contents }, digest, context)) ?? 'needed');
}

/** Returns the contents of a skill if they have a digest. All calls that are made again for one model call share them. */
function readOnce(
  { skill, name, contents }: Pick<NamedSkill, 'skill' | 'name' | 'contents'>,
  digest: string,
  context: SkillContext,
): Promise<SkillContents | undefined> {
  const key = JSON.stringify([skill.source.id, name, digest]);
  const agreed = contents.get(key) ?? readAgreed(skill, digest, context);
  contents.set(key, agreed);
  return agreed;
}

/** Like `findCalled`, for a call that gives a model more than the instructions: refused until a person agreed. */
export async function findUsable(
  named: string,
  parts: CallParts,
): Promise<CalledSkill<SkillContents | undefined> | SkillToolResult> {
  const { context } = parts;
  // Only of an activation is kept what a person agreed to, so that a replay asks the store about no other call.
  const call = context.replay ? undefined : context.call;
  const called = await findCalled(named, { ...parts, context: { ...context, call } });
  if ('text' in called) return called;
  const { consent } = called;
  return consent === 'needed' ? refuseUnasked(called, parts) : { ...called, consent };
}

/** Refuses what a person has not agreed to. */
export function refuseUnasked(called: NamedSkill, { emit, context }: CallParts): SkillToolResult {
  emit({ type: 'approval-needed', skill: called.skill.name, tokens: 0 }, context);
  return refuse('approval-needed', describeNeed(called));
}

/** Says that a person must agree, and how a user can. */
export function describeNeed({ skill, name, offer, tracked }: NamedSkill): string {
  const isNamable = skillsOf(offer.forUser).includes(skill) && skill.properties.userInvocable;
  return renderApprovalNeeded(name, isNamable ? tracked.sign : undefined);
}

/**
 * Returns why a model may not read a file or run a script, or what a person agreed to with this very call; nothing if nobody
 * has to agree.
 */
export async function checkPolicy(
  request: ApprovalRequest & { readonly action: 'read' | 'run' },
  called: NamedSkill,
  parts: CallParts,
): Promise<SkillContents | SkillToolResult | undefined> {
  const { context } = parts;
  const { skill, action, path } = request;
  const { effect, rule } = explainPolicy(parts.policyFor(context), skill, { actor: 'model', action, path });
  if (effect === 'allow') return undefined;
  if (effect === 'deny' && rule?.path !== undefined && path !== undefined)
    throw action === 'read' ? unknownFile(path) : unknownScript(skill, path);
  const find = () => (context.replay ? findGiven(request, called, parts) : takeAnswer(request, parts));
  const answer = effect === 'ask' ? await find() : 'unasked';
  if (answer !== 'unasked') return answer;
  if (effect === 'ask') parts.emit({ type: 'approval-needed', skill: skill.name, tokens: 0 }, context);
  return refuseSkill(`${action}-denied`, skill);
}

/** Returns what a person agreed to when a call that is made again was first made. */
async function findGiven(
  request: ApprovalRequest,
  called: NamedSkill,
  parts: CallParts,
): Promise<SkillContents | 'unasked'> {
  for (const digest of await readAgreedDigests(request, parts)) {
    const contents = await readOnce(called, digest, parts.context);
    if (contents !== undefined) return contents;
  }
  return 'unasked';
}
