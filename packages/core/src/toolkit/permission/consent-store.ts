// Where questions and answers are kept: a store that may fail, or not answer, and then means no.

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
   * Where questions and answers are kept, or a function that returns the place of a request's tenant.
   * @default a store that lives as long as the process
   */
  readonly store?: ConsentStore | ((context: SkillContext) => ConsentStore) | undefined;
  /**
   * Whether consent is remembered, so that the same is not asked again as long as the skill's files stay the same.
   * @default false
   */
  readonly remember?: boolean | ((question: ApprovalQuestion) => boolean) | undefined;
  /**
   * Milliseconds in which a person must answer; after that, their answer does not count.
   * @default as long as the store keeps the question
   */
  readonly timeout?: number | undefined;
}

/** What questions and answers need of a toolkit. */
export interface ConsentParts {
  readonly consent: ConsentOptions & { readonly store: NonNullable<ConsentOptions['store']> };
  readonly policyFor: (context: SkillContext) => SkillPolicy;
  /** Reports an event: at once, or to the toolkit's `onEvent` by what it adds to `untold`. */
  readonly emit: (event: SkillEvent, context: SkillContext, untold?: SkillContext['untold']) => void;
  readonly memoryOf: (context: SkillContext) => ConsentMemory;
}

/** What questions and answers need of a toolkit, and what is known about the call. */
export interface ConsentCall extends ConsentParts {
  readonly context: SkillContext;
}

/** What a run remembers of the store, and what it knows of its conversation. */
export interface ConsentMemory {
  stored?: SkillState | undefined;
  /** The store did not answer in this model call: nothing that it only looks up waits for it again. */
  isSilent?: boolean;
}

/** Looks something up for a model call, which waits only once for a store that does not answer. */
export async function lookUp<Result>(
  parts: ConsentCall,
  work: (opened: ConsentStore) => Promise<Result>,
): Promise<Result | undefined> {
  return parts.memoryOf(parts.context).isSilent ? undefined : use<Result | undefined>(parts, undefined, work);
}

/** Works with the store of a request. If that fails, or takes more than 5 seconds, reports it and returns what is safe. */
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

/** Reads what a person agreed to for good. */
export async function readAgreement(store: ConsentStore, request: ApprovalRequest): Promise<ConsentRecord | undefined> {
  return readConsent(await store.get(await lastingKey(request)));
}
