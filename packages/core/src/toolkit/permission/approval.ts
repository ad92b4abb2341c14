// Asks a person before a model may use a skill, and binds the answer to the exact files of the skill.

import type { MessageView } from '../../conversation/conversation.ts';
import { findLastAnswer } from '../../conversation/track.ts';
import { momentAfter, type TrackedSkills } from '../../conversation/tracked.ts';
import { type ConsentRecord, type ConsentStore, changedFiles, parseConsent } from '../../policy/consent.ts';
import { explainPolicy } from '../../policy/policy.ts';
import { type ApprovalQuestion, type ApprovalRequest, createQuestion } from '../../policy/question.ts';
import { readContents, type SkillContents } from '../../scripts/contents.ts';
import type { Skill } from '../../skill/skill.ts';
import type { CallParts } from '../toolkit-parts.ts';
import { refuseSkill } from '../tools/create-tool.ts';
import type { SkillContext, SkillToolResult } from '../tools/tool.ts';
import {
  askedKey,
  createRecord,
  digestOf,
  givenKey,
  isTraceable,
  lastingKey,
  lookUp,
  readAgreement,
  readKey,
  turnOf,
  use,
} from './consent-store.ts';

/** The question about a request; none if a person has agreed permanently. */
interface Asked {
  readonly question?: ApprovalQuestion;
  /** Whether the question is new. If so, an existing answer belongs to another question. */
  readonly isNew: boolean;
}

/**
 * Lets no stored question about a call count as answered until `askPerson` has returned it. Some frameworks judge a call again once a
 * person has answered, perhaps with a no, and make it if nothing is asked then, for example because a source fails.
 */
export async function hideQuestion(parts: CallParts): Promise<void> {
  parts.memoryOf(parts.context).unseen.add(await askedKey('', parts.context));
}

/** Creates and stores the question about a request, unless a person has agreed permanently. */
export async function askPerson(request: ApprovalRequest, parts: CallParts): Promise<Asked | SkillToolResult> {
  const { context } = parts;
  const lost = refuseSkill('approval-lost', request.skill);
  const { digest, digests } = await readContents(request.skill, context);
  const wanted = await digestOf(request);
  const key = await askedKey(wanted, context);
  const { unseen } = parts.memoryOf(context);
  unseen.add(key);
  let isReported = false;
  const asked = await use<Asked | SkillToolResult>(parts, lost, async (store) => {
    const agreed = await readAgreement(store, request);
    if (agreed?.digest === digest) return { isNew: false };
    const turn = turnOf(context);
    const known = parseConsent(await store.get(key), 'asked');
    const isNew = known?.request !== wanted;
    isReported = !isNew && known.turn === turn;
    // An existing question is kept even if files changed: otherwise its answer would count for files that the person was not
    // asked about.
    const record = isNew ? createRecord('asked', request, digest) : known;
    if (!isReported) await store.set(key, { ...record, request: wanted, turn });
    const changed = agreed?.files && changedFiles(agreed.files, digests);
    return {
      question: createQuestion(request, { digest, changed, reason: reasonFor(request, parts) }),
      isNew,
    };
  });
  const question = 'question' in asked ? asked.question : undefined;
  // A framework may judge a call again when its run continues after the answer.
  if (question && !isReported) {
    const { call } = context;
    const about = { skill: request.skill.name, question, ...(call !== undefined && { call }) };
    parts.emit({ type: 'approval-needed', ...about, tokens: 0 }, context);
  }
  if (!('text' in asked)) unseen.delete(key);
  return asked;
}

/**
 * Returns the contents of the skill if a person agreed to exactly this request. Otherwise returns `unasked`, or a refusal for the
 * model. An answer counts only once.
 */
export async function takeAnswer(
  request: ApprovalRequest,
  parts: CallParts,
): Promise<SkillContents | 'unasked' | SkillToolResult> {
  const { context } = parts;
  const { remember = false, timeout = Infinity } = parts.consent;
  const lost = refuseSkill('approval-lost', request.skill);
  const contents = await readContents(request.skill, context);
  const { digest, digests } = contents;
  return use<SkillContents | 'unasked' | SkillToolResult>(parts, lost, async (store) => {
    if ((await readAgreement(store, request))?.digest === digest) return contents;
    const asked = await takeAsked(store, await digestOf(request), parts);
    if (asked === 'unseen') return lost;
    if (asked === undefined) return 'unasked';
    if (Date.now() - asked.at > timeout) return refuseSkill('approval-late', request.skill);
    if (asked.digest !== digest) return refuseSkill('approval-stale', request.skill);
    const question = createQuestion(request, { digest, reason: reasonFor(request, parts) });
    const isLasting: unknown = typeof remember === 'function' ? remember(question) : remember;
    const agreed = { ...createRecord('agreed', request, digest), files: digests };
    // An async function would return a promise, whatever it decides.
    if (isLasting === true) await store.set(await lastingKey(request), agreed);
    else if (request.action === 'read' && isTraceable(context))
      await store.set(await readKey(request, parts), createRecord('given', request, digest));
    return contents;
  });
}

/**
 * Removes the answered question about a request from the store and returns it; undefined if no one was asked. `unseen` if the
 * question may be stored, but was never shown.
 */
async function takeAsked(
  store: ConsentStore,
  wanted: string,
  parts: CallParts,
): Promise<ConsentRecord | 'unseen' | undefined> {
  const { context } = parts;
  // Some frameworks ask before the call has an id.
  for (const call of new Set([context.call, undefined])) {
    const key = await askedKey(wanted, { ...context, call });
    if (parts.memoryOf(context).unseen.has(key)) return 'unseen';
    const asked = parseConsent(await store.get(key), 'asked');
    // Of two simultaneous calls, only one gets the answer.
    if (asked?.request === wanted && (await store.delete(key)) !== false) return asked;
  }
  return undefined;
}

/** Removes the questions about calls that have results, because they were answered and an answer counts only once. */
export async function endQuestions(
  messages: readonly MessageView[],
  tools: readonly string[],
  parts: CallParts,
): Promise<void> {
  const { context } = parts;
  const answered = messages.slice(findLastAnswer(messages) + 1);
  const results = answered.flatMap((message) => message.results ?? []).filter(({ tool }) => tools.includes(tool));
  for (const { id } of results) {
    const key = await askedKey('', { ...context, messages: context.messages ?? messages, call: id });
    const end = async (store: ConsentStore) => parseConsent(await store.get(key), 'asked') && store.delete(key);
    await lookUp<unknown>(parts, end);
  }
}

/**
 * Records that a call activates a skill with a person's consent, after the last change of the skill in the conversation. Returns
 * false if the store fails: then the skill would not count as active.
 */
export async function recordConsent(
  request: ApprovalRequest,
  { name, tracked }: { readonly name: string; readonly tracked: TrackedSkills },
  { digest, digests }: SkillContents,
  parts: CallParts,
): Promise<boolean> {
  const { call } = parts.context;
  if (call === undefined) return true;
  const key = await givenKey(call, request.skill, name, parts.context);
  const instructions = { 'SKILL.md': digests['SKILL.md'] ?? '' };
  const at = momentAfter(tracked.records.get(name));
  const record = { ...createRecord('given', request, digest), at, files: instructions };
  return use(parts, false, async (store) => {
    const lasting = (await readAgreement(store, request))?.digest === digest;
    await store.set(key, { ...record, ...(lasting && { lasting }) });
    return true;
  });
}

/** Returns the recorded consent to the call that activated a skill; undefined if the store fails. */
export function readRecorded(
  call: string,
  skill: Skill,
  name: string,
  parts: CallParts,
): Promise<ConsentRecord | 'none' | undefined> {
  const read = async (store: ConsentStore) =>
    parseConsent(await store.get(await givenKey(call, skill, name, parts.context)), 'given') ?? 'none';
  return lookUp(parts, read);
}

/** Returns the digests to which a person agreed for reading this file: permanently, or in this call. */
export async function readAgreedDigests(request: ApprovalRequest, parts: CallParts): Promise<readonly string[]> {
  const found = await lookUp(parts, async (store) => [
    await readAgreement(store, request),
    isTraceable(parts.context) ? parseConsent(await store.get(await readKey(request, parts)), 'given') : undefined,
  ]);
  return (found ?? []).flatMap((record) => record?.digest ?? []);
}

/**
 * Returns the digest to which a person permanently agreed for the activation of a skill, if there is one; undefined if the store
 * fails.
 */
export function readLasting(
  skill: Skill,
  parts: CallParts,
): Promise<Pick<Partial<ConsentRecord>, 'digest'> | undefined> {
  return lookUp(parts, async (store) => (await readAgreement(store, { skill, action: 'activate' })) ?? {});
}

/** Returns the contents of a skill if they still have the digest to which a person agreed. */
export async function readAgreed(
  skill: Skill,
  consent: string,
  context: SkillContext,
): Promise<SkillContents | undefined> {
  const contents = await readContents(skill, context);
  return contents.digest === consent ? contents : undefined;
}

function reasonFor({ skill, action, path }: ApprovalRequest, { policyFor, context }: CallParts): string | undefined {
  return explainPolicy(policyFor(context), skill, { actor: 'model', action, path }).rule?.reason;
}
