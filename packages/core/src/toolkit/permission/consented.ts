// Which activations of a conversation rest on the consent of a person, and which no longer do.

import type { MessageView, ResultView } from '../../conversation/conversation.ts';
import { activatedBy } from '../../conversation/track.ts';
import { endRecord, type TrackedSkills } from '../../conversation/tracked.ts';
import { findActive } from '../../disclosure/wrapper-name.ts';
import type { ConsentRecord } from '../../policy/consent.ts';
import type { SkillPolicy } from '../../policy/policy.ts';
import type { ApprovalAction } from '../../policy/question.ts';
import type { Offer } from '../offer.ts';
import type { CallParts } from '../toolkit-parts.ts';
import { readLastingDigest, readRecorded } from './approval.ts';
import type { ConsentCall } from './consent-store.ts';

/** Ends the skills that a person had agreed to for good, and no longer does. */
export async function endWithdrawn(
  tracked: TrackedSkills,
  { withoutConsent, forAnyone }: Offer,
  parts: ConsentCall,
): Promise<TrackedSkills> {
  const withdrawn: string[] = [];
  const records = new Map(tracked.records);
  for (const [name, record] of tracked.records) {
    const { consent, lasting } = record;
    const skill = lasting === true ? findActive(forAnyone, name) : undefined;
    if (skill === undefined || consent === undefined || withoutConsent.has(skill)) continue;
    if ((await readLastingDigest(skill, parts)) === consent) continue;
    withdrawn.push(name);
    records.set(name, endRecord(record));
  }
  return { ...tracked, records, withdrawn };
}

/** Returns the tools whose calls a person may have been asked about. */
export function askableTools(
  { offered, withoutConsent }: Offer,
  policy: SkillPolicy,
  { activate, read, files, run }: Readonly<Record<ApprovalAction | 'files', string>>,
): readonly string[] {
  return asksByRule(policy) || offered.size > withoutConsent.size ? [activate, read, files, run] : [run];
}

/** Checks whether people will be asked, as far as that is known from the start. */
export function isKnownToAsk(policy: SkillPolicy, offer: Offer | undefined, runsScripts: boolean): boolean {
  const { rules, default: otherwise } = policy;
  const isSilentAboutScripts = otherwise === undefined && !rules.some(({ action = 'run' }) => action.includes('run'));
  const asksToActivate = offer !== undefined && offer.offered.size > offer.withoutConsent.size;
  return asksByRule(policy) || asksToActivate || (runsScripts && isSilentAboutScripts);
}

function asksByRule({ rules, default: otherwise }: SkillPolicy): boolean {
  return otherwise === 'ask' || rules.some(({ effect }) => effect === 'ask');
}

/** Finds the results by which a model activated skills with a person's consent, and what they agreed to. */
export async function findConsents(
  { offered, withoutConsent, forAnyone }: Offer,
  messages: readonly MessageView[],
  parts: ConsentCall & Pick<CallParts, 'names'>,
): Promise<ReadonlyMap<ResultView, ConsentRecord>> {
  const consents = new Map<ResultView, ConsentRecord>();
  if (offered.size === withoutConsent.size) return consents;
  for (const result of messages.flatMap(({ results = [] }) => results)) {
    const name = result.tool === parts.names.activate ? activatedBy(result) : undefined;
    const skill = name === undefined ? undefined : findActive(forAnyone, name);
    if (name === undefined || skill === undefined) continue;
    const record = await readRecorded(result.id, skill, name, parts);
    if (record !== undefined) consents.set(result, record);
  }
  return consents;
}
