// Finds the activations in a conversation that a person agreed to, and ends those whose consent was withdrawn.

import type { MessageView, ResultView } from '../../conversation/conversation.ts';
import { activatedBy } from '../../conversation/skill-results.ts';
import { endRecord, pauseRecord, type TrackedSkills } from '../../conversation/tracked.ts';
import { findActive } from '../../disclosure/wrapper-name.ts';
import type { ConsentRecord } from '../../policy/consent.ts';
import type { SkillPolicy } from '../../policy/policy.ts';
import type { Offer } from '../offer.ts';
import type { CallParts } from '../toolkit-parts.ts';
import { readLasting, readRecorded } from './approval.ts';

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

/** Returns the tools about whose calls a person may have been asked. */
export function askableTools(
  { offered, withoutConsent }: Offer,
  { names: { activate, read, files, run }, policyFor, context }: CallParts,
): readonly string[] {
  return asksByRule(policyFor(context)) || offered.size > withoutConsent.size ? [activate, read, files, run] : [run];
}

/** Checks whether it is known from the start that people will be asked. */
export function isKnownToAsk(policy: SkillPolicy, offer: Offer | undefined, runsScripts: boolean): boolean {
  const { rules, default: otherwise } = policy;
  const isSilentAboutScripts = otherwise === undefined && !rules.some(({ action = 'run' }) => action.includes('run'));
  const asksToActivate = offer !== undefined && offer.offered.size > offer.withoutConsent.size;
  return asksByRule(policy) || asksToActivate || (runsScripts && isSilentAboutScripts);
}

function asksByRule({ rules, default: otherwise }: SkillPolicy): boolean {
  return otherwise === 'ask' || rules.some(({ effect }) => effect === 'ask');
}

/**
 * Finds the results of activations with a person's consent, and the records of that consent; `undefined` instead of a record if the
 * store fails.
 */
export async function findConsents(
  { offered, withoutConsent, forAnyone }: Offer,
  messages: readonly MessageView[],
  parts: CallParts,
): Promise<ReadonlyMap<ResultView, ConsentRecord | undefined>> {
  const consents = new Map<ResultView, ConsentRecord | undefined>();
  const asks = offered.size > withoutConsent.size;
  for (const result of messages.flatMap(({ results = [] }) => results)) {
    const name = result.tool === parts.names.activate ? activatedBy(result) : undefined;
    const skill = name === undefined ? undefined : findActive(forAnyone, name);
    // A skill that is no longer offered to the model may have been asked about when it was.
    if (name === undefined || skill === undefined || (!asks && offered.has(skill))) continue;
    const record = await readRecorded(result.id, skill, name, parts);
    if (record !== 'none') consents.set(result, record);
  }
  return consents;
}
