// Finds the skill that a tool call is about, and the consent to it. Without a required consent, the model gets nothing of the
// skill.

import type { Catalog } from '../../catalog/catalog.ts';
import { createMentionReader } from '../../catalog/mention.ts';
import { resolveSkill } from '../../catalog/resolve.ts';
import { isActive, type TrackedSkills } from '../../conversation/tracked.ts';
import {
  renderActivateFirst,
  renderAmbiguousSkill,
  renderApprovalNeeded,
  renderUnknownSkill,
} from '../../disclosure/answers.ts';
import { nameInWrapper } from '../../disclosure/wrapper-name.ts';
import { explainPolicy } from '../../policy/policy.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { getOrCreate } from '../../runtime/get-or-create.ts';
import type { SkillContents } from '../../scripts/contents.ts';
import { unknownScript } from '../../scripts/plan.ts';
import { unknownFile } from '../../skill/paths.ts';
import type { Skill } from '../../skill/skill.ts';
import { trackCall } from '../call-state.ts';
import { type Offer, usableCatalog } from '../offer.ts';
import type { CallParts, UsedSkills } from '../toolkit-parts.ts';
import { refuse, refuseSkill } from '../tools/refusal.ts';
import type { SkillContext, SkillToolResult } from '../tools/tool.ts';
import { takeAnswer } from './approval.ts';
import { assertFile } from './called-file.ts';
import { readAgreed, readAgreedDigests, readRecorded } from './consented.ts';

/** Looks up a name among the offered skills. If none matches, returns an answer that explains this to the model. */
export function resolveOffered(offered: Catalog, name: string, { records }: TrackedSkills): Skill | SkillToolResult {
  const resolution = resolveSkill(offered, name, { former: [...records.keys()] });
  switch (resolution.kind) {
    case 'found':
      return resolution.skill;
    case 'ambiguous':
      // The names that the model knows, and which a schema may list.
      return refuse(
        'skill-ambiguous',
        renderAmbiguousSkill(
          name,
          resolution.candidates.map((skill) => skill.name),
        ),
      );
    case 'unknown': {
      const available = offered.skills.map((skill) => skill.name);
      return refuse('skill-unknown', renderUnknownSkill(name, resolution.suggestions, available));
    }
  }
}

/** A skill that a model named, and the state of the conversation at that moment. */
export interface NamedSkill {
  readonly skill: Skill;
  /** The name in the wrapper of its text. */
  readonly name: string;
  readonly offer: Offer;
  readonly tracked: TrackedSkills;
  readonly contents: UsedSkills['contents'];
}

/** A skill, and the consent to it. */
export interface CalledSkill<Consent = SkillContents | 'needed' | undefined> extends NamedSkill {
  /**
   * The current files of the skill if a person agreed to exactly these; the model may get no others. `needed` if consent is
   * missing; undefined if none is required.
   */
  readonly consent: Consent;
}

/** Finds the skill that a model names. If there is none, returns an answer that explains this to the model. */
export async function findNamed(named: string, parts: CallParts): Promise<NamedSkill | SkillToolResult> {
  const { context } = parts;
  const memory = parts.memoryOf(context);
  const isShared = context.replay === true && context.refusedWith === undefined;
  const using = (isShared && memory.replayed) || findUsed(parts);
  if (isShared) memory.replayed = using;
  const used = await using;
  const { offer, tracked, contents, usable } = used;
  const skill = context.replay ? resolveReplayed(named, used) : resolveOffered(usable, named, tracked);
  if ('text' in skill) return skill;
  return { skill, name: nameInWrapper(offer.forAnyone, skill), offer, tracked, contents };
}

/**
 * Finds the skill of a call that was made before: one that was active, or else one that the model is offered, or else one that only
 * users may activate. The last is never suggested.
 */
function resolveReplayed(named: string, { offer, tracked, usable }: UsedSkills): Skill | SkillToolResult {
  const found = resolveOffered(usable, named, tracked);
  if (!('text' in found) && tracked.records.has(nameInWrapper(offer.forAnyone, found))) return found;
  const offered = resolveOffered(offer.forModel, named, tracked);
  return 'text' in offered && !('text' in found) ? found : offered;
}

/** Finds the offered skills, the active skills, and the skills that the model may use because of both. */
export async function findUsed(parts: CallParts): Promise<UsedSkills> {
  const { context } = parts;
  const offer = await parts.offerFor(context);
  const tracked = await trackCall(offer, parts);
  return { offer, tracked, usable: usableCatalog(offer, tracked, context), contents: new Map() };
}

/** Finds the skill of a call that returns instructions, files or the output of a script. */
export async function findCalled(named: string, parts: CallParts): Promise<CalledSkill | SkillToolResult> {
  const found = await findNamed(named, parts);
  if ('text' in found) return found;
  const past = pastRefusals.find((code) => code === parts.context.refusedWith);
  return past ? refuseSkill(past, found.skill) : { ...found, consent: await findConsent(found, parts) };
}

/** Why a call was refused that nothing tells any more when it is replayed. */
const pastRefusals = ['approval-late', 'approval-lost', 'approval-stale', 'approval-used'] as const;

/** Finds the consent to a skill; undefined if none is required. */
async function findConsent(
  { skill, name, offer, tracked, contents }: NamedSkill,
  parts: CallParts,
): Promise<CalledSkill['consent']> {
  if (offer.withoutConsent.has(skill)) return undefined;
  const { context } = parts;
  const { call, replay } = context;
  const found = replay && call !== undefined ? await readRecorded(call, skill, name, parts) : undefined;
  const recorded = found === 'none' ? undefined : found;
  const digest = recorded?.digest ?? tracked.records.get(name)?.consent;
  // A skill that is not offered to the model was activated by a user or the application, which counts as consent. If it was once
  // offered, a person may have agreed to the files that it had then, and to no others.
  if (digest === undefined && !offer.offered.has(skill)) return undefined;
  if (recorded === undefined && !isActive(tracked, name)) return 'needed';
  return digest === undefined ? undefined : ((await readOnce({ skill, name, contents }, digest, context)) ?? 'needed');
}

/** Returns the contents of a skill if they have the digest. All replays for one model call share them. */
function readOnce(
  { skill, name, contents }: Pick<NamedSkill, 'skill' | 'name' | 'contents'>,
  digest: string,
  context: SkillContext,
): Promise<SkillContents | undefined> {
  const key = JSON.stringify([skill.source.id, name, digest]);
  return getOrCreate(contents, key, () => readAgreed(skill, digest, context));
}

/** Like `findCalled`, but refuses the call if consent is missing, for calls that go beyond the instructions. */
export async function findUsable(
  named: string,
  parts: CallParts,
): Promise<CalledSkill<SkillContents | undefined> | SkillToolResult> {
  const { context } = parts;
  // Consent is recorded only for activations, so a replay of another call need not look it up.
  const call = context.replay ? undefined : context.call;
  const called = await findCalled(named, { ...parts, context: { ...context, call } });
  if ('text' in called) return called;
  const { consent } = called;
  if (consent !== 'needed') return { ...called, consent };
  const { activate } = parts.toolsOf(called.offer);
  const isAsked = activate !== undefined && context.asks !== false && context.offered?.includes(activate) !== false;
  return refuseUnasked(called, parts, isAsked ? renderActivateFirst(called.name, activate) : undefined);
}

/** Refuses a call because consent is missing. */
export function refuseUnasked(
  called: NamedSkill,
  { emit, context }: CallParts,
  text: string = describeNeed(called),
): SkillToolResult {
  emit({ type: 'approval-needed', skill: called.skill.name, tokens: 0 }, context);
  return refuse('approval-needed', text);
}

/** Renders that a person must agree, and how a user can do so. */
export function describeNeed({ skill, name, offer, tracked }: NamedSkill): string {
  const { sign } = tracked;
  const mentioned = sign && createMentionReader(offer.forUser)(`${sign}${name}`);
  const isNamable = mentioned?.some((mention) => mention.skill === skill);
  return renderApprovalNeeded(name, isNamable ? sign : undefined);
}

/**
 * Checks whether a model may read a file or run a script. Returns a refusal, the contents to which a person agreed with this
 * call, or undefined if no consent is required.
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
  if (effect === 'deny') {
    if (rule?.path === undefined || path === undefined) return refuseSkill(`${action}-denied`, skill);
    throw action === 'read' ? unknownFile(path) : unknownScript(skill, path);
  }
  const answer = await (context.replay ? findGiven(request, called, parts) : takeAnswer(request, parts));
  if (answer !== 'unasked') return answer;
  if (context.replay !== true) await assertFile(request, called.offer, parts);
  parts.emit({ type: 'approval-needed', skill: skill.name, tokens: 0 }, context);
  return refuseSkill('approval-needed', skill);
}

/** Returns the contents to which a person agreed when a replayed call was first made. */
async function findGiven(
  request: ApprovalRequest,
  called: NamedSkill,
  parts: CallParts,
): Promise<SkillContents | 'unasked'> {
  // A script never runs again, so its files are not needed.
  if (request.action === 'run') return 'unasked';
  for (const digest of await readAgreedDigests(request, parts)) {
    const contents = await readOnce(called, digest, parts.context);
    if (contents !== undefined) return contents;
  }
  return 'unasked';
}
