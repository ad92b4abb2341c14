// Asks a person before a model may use a skill, and binds the answer to the exact files of the skill.

import type { MessageView } from '../../conversation/conversation.ts';
import { findLastAnswer } from '../../conversation/track.ts';
import { type ConsentRecord, type ConsentStore, changedFiles } from '../../policy/consent.ts';
import { explainPolicy, type SkillPolicy } from '../../policy/policy.ts';
import { type ApprovalQuestion, type ApprovalRequest, createQuestion } from '../../policy/question.ts';
import { digestOfFile, readContents, type SkillContents } from '../../scripts/contents.ts';
import { asksToActivate, type Offer } from '../offer.ts';
import type { RequestContext } from '../options.ts';
import type { CallParts } from '../toolkit-parts.ts';
import { type Refusal, refuseSkill } from '../tools/refusal.ts';
import type { SkillContext } from '../tools/tool.ts';
import {
  askedKey,
  createRecord,
  deleteRecord,
  digestOf,
  isTraceable,
  lastingKey,
  lookUp,
  readAgreement,
  readKey,
  readRecord,
  turnOf,
  useStore,
} from './consent-store.ts';
import { endStart, recordStart, wasStarted } from './started.ts';

/** The question about a request. */
interface Asked {
  readonly question: ApprovalQuestion;
  /** Whether the question is new. If so, an existing answer belongs to another question. */
  readonly isNew: boolean;
  /** Whether the question was reported before. A framework may judge a call again when its run continues after the answer. */
  readonly isReported: boolean;
}

/**
 * Lets no stored question about a call count as answered until `askPerson` has returned it. Some frameworks judge a call again once a
 * person has answered, perhaps with a no, and make it if nothing is asked then, for example because a source fails.
 */
export async function hideQuestion(parts: CallParts): Promise<void> {
  parts.memoryOf(parts.context).hidden.add(await askedKey('', parts.context));
}

/** Creates and stores the question about a request; none if a person has agreed permanently. Refuses a call that was started before. */
export async function askPerson(request: ApprovalRequest, parts: CallParts): Promise<Asked | 'agreed' | Refusal> {
  const { context } = parts;
  const { digest, digests } = await readAsked(request, context);
  const wanted = await digestOf(request);
  const key = await askedKey(wanted, context);
  const { hidden } = parts.memoryOf(context);
  hidden.add(key);
  const asked = await useStore<Asked | 'agreed' | Refusal | undefined>(parts, undefined, async (store) => {
    const agreed = await readAgreement(store, request);
    if (agreed?.digest === digest) return 'agreed';
    if (await wasStarted(store, request, context)) return refuseSkill('approval-used', request.skill);
    const turn = turnOf(context);
    const known = await readRecord(store, key, 'asked');
    const isNew = known?.request !== wanted;
    const isReported = !isNew && known.turn === turn;
    // An existing question is kept even if files changed: otherwise its answer would count for files that the person was not
    // asked about.
    const record = isNew ? createRecord('asked', request, digest) : known;
    if (!isReported) await store.set(key, { ...record, request: wanted, turn });
    const changed = agreed?.files && changedFiles(agreed.files, digests);
    return {
      question: createQuestion(request, { digest, changed, reason: reasonFor(request, parts) }),
      isNew,
      isReported,
    };
  });
  // The question stays hidden.
  if (asked === undefined) return refuseSkill('approval-lost', request.skill);
  if (asked !== 'agreed' && 'question' in asked && !asked.isReported)
    parts.emit({ type: 'approval-needed', skill: request.skill.name, question: asked.question, tokens: 0 }, context);
  hidden.delete(key);
  return asked;
}

/** Reads the files to which a person may agree. Throws if the file that is asked about is not among them. */
async function readAsked({ skill, action, path }: ApprovalRequest, context: SkillContext): Promise<SkillContents> {
  const contents = await readContents(skill, context);
  if (action === 'read' && path !== undefined) digestOfFile(contents, path);
  return contents;
}

/**
 * Why a call may not be made. `approval-lost`: the question may be stored, but was never shown, or the store failed. `approval-used`:
 * the answer already started a script, whose result is missing.
 */
type Unanswered = 'unasked' | 'approval-lost' | 'approval-used' | 'approval-late' | 'approval-stale';

/**
 * Returns the contents of the skill if a person agreed to exactly this request. Otherwise returns `unasked`, or a refusal for the
 * model. An answer counts only once.
 */
export async function takeAnswer(
  request: ApprovalRequest,
  parts: CallParts,
): Promise<SkillContents | 'unasked' | Refusal> {
  const { context } = parts;
  const { timeout = Infinity } = parts.consent;
  const contents = await readAsked(request, context);
  const problem = await useStore<Unanswered | undefined>(parts, 'approval-lost', async (store) => {
    if ((await readAgreement(store, request))?.digest === contents.digest) return undefined;
    // Nobody was asked in this run, so a question in the store belongs to another one, and may have no answer yet.
    if (context.asks === false) return 'unasked';
    const asked = await takeAsked(store, await digestOf(request), parts);
    if (asked === 'unasked') return (await wasStarted(store, request, context)) ? 'approval-used' : 'unasked';
    if (asked === 'approval-lost') return asked;
    // The clock may have been set back.
    if (Math.abs(Date.now() - asked.at) > timeout) return 'approval-late';
    if (asked.digest !== contents.digest) return 'approval-stale';
    await recordAnswer(store, asked, request, contents, parts);
    return undefined;
  });
  if (problem === undefined) return contents;
  return problem === 'unasked' ? problem : refuseSkill(problem, request.skill);
}

/** Removes the answered question about a request from the store and returns it, or why there is none. */
async function takeAsked(
  store: ConsentStore,
  wanted: string,
  parts: CallParts,
): Promise<ConsentRecord | 'unasked' | 'approval-lost'> {
  const { context } = parts;
  // Some frameworks ask before the call has an id.
  for (const call of new Set([context.call, undefined])) {
    const key = await askedKey(wanted, { ...context, call });
    if (parts.memoryOf(context).hidden.has(key)) return 'approval-lost';
    const asked = await readRecord(store, key, 'asked');
    // A call that was given up uses no answer.
    context.signal?.throwIfAborted();
    // Of two simultaneous calls, only one gets the answer.
    if (asked?.request === wanted && (await deleteRecord(store, key))) return asked;
  }
  return 'unasked';
}

/** Records that a person agreed: permanently, for this file in this conversation, or for one start of a script. */
async function recordAnswer(
  store: ConsentStore,
  asked: ConsentRecord,
  request: ApprovalRequest,
  { digest, digests }: SkillContents,
  parts: CallParts,
): Promise<void> {
  const { context } = parts;
  const { remember = false } = parts.consent;
  const question = createQuestion(request, { digest, reason: reasonFor(request, parts) });
  const isLasting: unknown = typeof remember === 'function' ? remember(question, context as RequestContext) : remember;
  const agreed = { ...createRecord('agreed', request, digest), files: digests };
  // An async function would return a promise, whatever it decides.
  if (isLasting === true) await store.set(await lastingKey(request), agreed);
  else if (request.action === 'read' && isTraceable(context))
    await store.set(await readKey(request, parts), createRecord('given', request, digest));
  else await recordStart(store, asked, context);
}

/** Removes the questions about calls that have results, because they were answered and an answer counts only once. */
export async function endQuestions(messages: readonly MessageView[], offer: Offer, parts: CallParts): Promise<void> {
  const { context } = parts;
  const { run } = parts.names;
  const tools = askableTools(offer, parts);
  const answered = messages.slice(findLastAnswer(messages) + 1);
  const results = answered.flatMap((message) => message.results ?? []).filter(({ tool }) => tools.includes(tool));
  for (const id of new Set(results.map((result) => result.id))) {
    const ofCall = { ...context, messages: context.messages ?? messages, call: id };
    const key = await askedKey('', ofCall);
    const isRun = results.some((result) => result.id === id && result.tool === run);
    await lookUp(parts, async (store) => {
      if (await readRecord(store, key, 'asked')) await store.delete(key);
      if (isRun) await endStart(store, ofCall);
    });
  }
}

/** Returns the tools about whose calls a person may have been asked. */
function askableTools(
  offer: Offer,
  { names: { activate, read, files, run }, policyFor, context }: CallParts,
): readonly string[] {
  return asksByRule(policyFor(context)) || asksToActivate(offer) ? [activate, read, files, run] : [run];
}

/** Checks whether it is known from the start that people will be asked. */
export function isKnownToAsk(policy: SkillPolicy, offer: Offer | undefined, runsScripts: boolean): boolean {
  const { rules, default: otherwise } = policy;
  const isSilentAboutScripts = otherwise === undefined && !rules.some(({ action = 'run' }) => action.includes('run'));
  const asksAboutSkills = offer !== undefined && asksToActivate(offer);
  return asksByRule(policy) || asksAboutSkills || (runsScripts && isSilentAboutScripts);
}

function asksByRule({ rules, default: otherwise }: SkillPolicy): boolean {
  return otherwise === 'ask' || rules.some(({ effect }) => effect === 'ask');
}

function reasonFor({ skill, action, path }: ApprovalRequest, { policyFor, context }: CallParts): string | undefined {
  return explainPolicy(policyFor(context), skill, { actor: 'model', action, path }).rule?.reason;
}
