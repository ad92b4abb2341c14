// Works with the store for questions and answers. If the store fails or does not answer, that counts as no consent.

import type { SkillState } from '../../conversation/conversation.ts';
import type { SkillEvent } from '../../conversation/event.ts';
import { type ConsentRecord, type ConsentStore, readConsent } from '../../policy/consent.ts';
import type { SkillPolicy } from '../../policy/policy.ts';
import type { ApprovalQuestion, ApprovalRequest } from '../../policy/question.ts';
import { inTime, untilAborted } from '../../runtime/until-aborted.ts';
import { reasonOf } from '../../skill/error.ts';
import type { SkillContext } from '../tools/tool.ts';
import { lastingKey } from './consent-keys.ts';

/** How people agree to what the policy asks about. */
export interface ConsentOptions {
  /**
   * The store for questions and answers, or a function that returns the store of a request's tenant.
   * @default a store that lives as long as the process
   */
  readonly store?: ConsentStore | ((context: SkillContext) => ConsentStore) | undefined;
  /**
   * Whether consent is permanent, so that the same question is not asked again until the skill's files change.
   * @default false
   */
  readonly remember?: boolean | ((question: ApprovalQuestion) => boolean) | undefined;
  /**
   * Milliseconds in which a person must answer. A later answer does not count.
   * @default no limit, as long as the store keeps the question
   */
  readonly timeout?: number | undefined;
}

/** The parts of a toolkit that questions and answers need. */
export interface ConsentParts {
  readonly consent: ConsentOptions & { readonly store: NonNullable<ConsentOptions['store']> };
  readonly policyFor: (context: SkillContext) => SkillPolicy;
  /** Reports an event at once, or adds a function to `untold` that reports it to the toolkit's `onEvent`. */
  readonly emit: (event: SkillEvent, context: SkillContext, untold?: SkillContext['untold']) => void;
  readonly memoryOf: (context: SkillContext) => ConsentMemory;
}

/** The parts of a toolkit that questions and answers need, and the context of the call. */
export interface ConsentCall extends ConsentParts {
  readonly context: SkillContext;
}

/** What a run remembers about the store, and what is stored for its conversation. */
export interface ConsentMemory {
  stored?: SkillState | undefined;
  /** Whether the store did not answer in this model call. Further look-ups do not wait for it. */
  isSilent?: boolean;
}

/** Looks something up. A model call waits only once for a store that does not answer. */
export async function lookUp<Result>(
  parts: ConsentCall,
  work: (opened: ConsentStore) => Promise<Result>,
): Promise<Result | undefined> {
  return parts.memoryOf(parts.context).isSilent ? undefined : use<Result | undefined>(parts, undefined, work);
}

/** Works with the store of a request. If that fails or takes more than 5 seconds, reports it and returns the safe result. */
export async function use<Result>(
  { consent: { store }, emit, memoryOf, context }: ConsentCall,
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
  return readConsent(await store.get(await lastingKey(request)), 'agreed');
}
