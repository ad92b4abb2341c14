// Records what a person agreed to, finds it later in the conversation, and ends the skills whose consent was withdrawn.

import type { MessageView, ResultView } from '../../conversation/conversation.ts';
import { activatedBy } from '../../conversation/skill-results.ts';
import { endRecord, momentAfter, pauseRecord, type TrackedSkills } from '../../conversation/tracked.ts';
import { findActive } from '../../disclosure/wrapper-name.ts';
import type { ConsentRecord, ConsentStore } from '../../policy/consent.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { getOrCreate } from '../../runtime/get-or-create.ts';
import { readContents, type SkillContents } from '../../scripts/contents.ts';
import type { Skill } from '../../skill/skill.ts';
import { asksToActivate, type Offer } from '../offer.ts';
import type { CallParts } from '../toolkit-parts.ts';
import type { SkillContext } from '../tools/tool.ts';
import {
  createRecord,
  givenKey,
  isTraceable,
  lookUp,
  readAgreement,
  readKey,
  readRecord,
  useStore,
} from './consent-store.ts';

/** Ends the skills whose permanent consent was withdrawn. If the store fails, pauses them for this call. */
export async function endWithdrawn(
  tracked: TrackedSkills,
  { withoutConsent, forAnyone }: Offer,
  parts: CallParts,
): Promise<TrackedSkills> {
  const withdrawn: string[] = [];
  const records = new Map(tracked.records);
  for (const [name, record] of tracked.records) {
    const { consent, lasting } = record;
    const skill = lasting === true ? findActive(forAnyone, name) : undefined;
    if (skill === undefined || consent === undefined || withoutConsent.has(skill)) continue;
    const agreed = await readLasting(skill, parts);
    if (agreed?.digest === consent) continue;
    if (agreed !== undefined) withdrawn.push(name);
    records.set(name, agreed === undefined ? pauseRecord(record) : endRecord(record));
  }
  return { ...tracked, records, withdrawn };
}

/**
 * Finds the results of activations with a person's consent, and the records of that consent; `undefined` instead of a record if the
 * store fails.
 */
export async function findConsents(
  offer: Offer,
  messages: readonly MessageView[],
  parts: CallParts,
): Promise<ReadonlyMap<ResultView, ConsentRecord | undefined>> {
  const consents = new Map<ResultView, ConsentRecord | undefined>();
  const asks = asksToActivate(offer);
  // A client may have forged thousands of results of one call.
  const records = new Map<string, ReturnType<typeof readRecorded>>();
  for (const result of messages.flatMap(({ results = [] }) => results)) {
    const name = result.tool === parts.names.activate ? activatedBy(result) : undefined;
    const skill = name === undefined ? undefined : findActive(offer.forAnyone, name);
    // A skill that is no longer offered to the model may have been asked about when it was.
    if (name === undefined || skill === undefined || (!asks && offer.offered.has(skill))) continue;
    const { id } = result;
    const record = await getOrCreate(records, JSON.stringify([id, name]), () => readRecorded(id, skill, name, parts));
    if (record !== 'none') consents.set(result, record);
  }
  return consents;
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
  return useStore(parts, false, async (store) => {
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
    (await readRecord(store, await givenKey(call, skill, name, parts.context), 'given')) ?? 'none';
  return lookUp(parts, read);
}

/** Returns the digests to which a person agreed for reading this file: permanently, or in this call. */
export async function readAgreedDigests(request: ApprovalRequest, parts: CallParts): Promise<readonly string[]> {
  const found = await lookUp(parts, async (store) => [
    await readAgreement(store, request),
    isTraceable(parts.context) ? await readRecord(store, await readKey(request, parts), 'given') : undefined,
  ]);
  return (found ?? []).flatMap((record) => record?.digest ?? []);
}

/**
 * Returns the digest to which a person permanently agreed for the activation of a skill, if there is one; undefined if the store
 * fails.
 */
function readLasting(skill: Skill, parts: CallParts): Promise<Pick<Partial<ConsentRecord>, 'digest'> | undefined> {
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
