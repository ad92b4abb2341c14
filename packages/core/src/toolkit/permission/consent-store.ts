// Works with the store for questions and answers. If the store fails or does not answer, that counts as no consent.

import { type ConsentRecord, type ConsentStore, parseConsent } from '../../policy/consent.ts';
import type { ApprovalRequest } from '../../policy/question.ts';
import { inTime, untilAborted } from '../../runtime/until-aborted.ts';
import { reasonOf } from '../../skill/error.ts';
import type { CallParts } from '../toolkit-parts.ts';
import { lastingKey } from './consent-keys.ts';

/** Looks something up. A model call waits only once for a store that does not answer. */
export async function lookUp<Result>(
  parts: CallParts,
  work: (opened: ConsentStore) => Promise<Result>,
): Promise<Result | undefined> {
  return parts.memoryOf(parts.context).isSilent ? undefined : use<Result | undefined>(parts, undefined, work);
}

/** Works with the store of a request. If that fails or takes more than 5 seconds, reports it and returns the safe result. */
export async function use<Result>(
  { consent: { store }, emit, memoryOf, context }: CallParts,
  safe: Result,
  work: (opened: ConsentStore) => Promise<Result>,
): Promise<Result> {
  let isSilent = true;
  try {
    const working = Promise.resolve()
      .then(() => work(typeof store === 'function' ? store(context) : store))
      .finally(() => {
        isSilent = false;
      });
    const done = inTime(working, 5_000, 'The store of consents did not answer within 5 seconds.');
    return await untilAborted(done, context.signal);
  } catch (error) {
    context.signal?.throwIfAborted();
    memoryOf(context).isSilent ||= isSilent;
    emit({ type: 'state-failed', reason: reasonOf(error), tokens: 0 }, context);
    return safe;
  }
}

/** Reads the permanent consent to a request. */
export async function readAgreement(store: ConsentStore, request: ApprovalRequest): Promise<ConsentRecord | undefined> {
  return parseConsent(await store.get(await lastingKey(request)), 'agreed');
}
