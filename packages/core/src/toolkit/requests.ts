// What a toolkit knows about a request: what is offered, which skills are active, and what its run remembers.

import type { Catalog } from '../catalog/catalog.ts';
import type { MessageView, SkillState } from '../conversation/conversation.ts';
import { preloadedNames } from '../conversation/decisions.ts';
import { type ConversationStore, keepState } from '../conversation/keep-state.ts';
import { readStoredState } from '../conversation/stored.ts';
import { mergeStates, type TrackedSkills, trackSkills } from '../conversation/track.ts';
import type { SkillPolicy } from '../policy/policy.ts';
import { inTime } from '../runtime/in-time.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { reasonOf } from '../skill/error.ts';
import type { Offer } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import { endWithdrawn, findGiven } from './permission/consented.ts';
import type { ToolServices } from './setting.ts';
import type { SkillContext } from './tools/tool.ts';

/** What one run remembers between its model calls and their tools. */
export interface RunMemory {
  offer?: Offer;
  /** The offer was found for a model call that is not prepared yet. */
  hasBegun?: boolean;
  state?: SkillState;
  /** The store was read for this model call. */
  hasLoaded?: boolean;
  /** What the store is known to contain. */
  stored?: SkillState | undefined;
  /** A place for the state failed: nothing waits for it again. */
  hasFailed?: boolean;
}

/** What a toolkit knows about each request. */
export interface Requests {
  /** Returns what the run of a request remembers: nothing if it has none. */
  memoryOf(context: SkillContext): RunMemory;
  /** Finds what is offered now. */
  findOffer(context: SkillContext): Promise<Offer>;
  /** Returns what was offered in the last model call of the run. */
  offerFor(context: SkillContext): Promise<Offer>;
  /** Derives the active skills from messages, and from the state that is stored with them. */
  track(offer: Offer, messages: readonly MessageView[], context: SkillContext): Promise<TrackedSkills>;
  /** Keeps the state of a model call: for its tools, and where the context says. */
  keep(state: SkillState, context: SkillContext): Promise<void>;
}

/** Creates what the tools and the model calls of a toolkit ask about their request. */
export function createRequests<Request>(
  input: CatalogInput<Request>,
  { preload = [], mentions: wanted }: ToolkitOptions,
  offerOf: (catalog: Catalog, policy: SkillPolicy) => Offer,
  { names, policyFor, approvals, emit }: Pick<ToolServices, 'names' | 'policyFor' | 'approvals' | 'emit'>,
): Requests {
  const runs = new WeakMap<object, RunMemory>();

  function memoryOf({ run }: SkillContext): RunMemory {
    const memory = (run && runs.get(run)) ?? {};
    if (run !== undefined) runs.set(run, memory);
    return memory;
  }

  async function findOffer(context: SkillContext): Promise<Offer> {
    if (typeof input !== 'function') return offerOf(input, policyFor(context));
    const catalog = input(context as SkillContext & { request: Request });
    return offerOf(await untilAborted(Promise.resolve(catalog), context.signal), policyFor(context));
  }

  async function offerFor(context: SkillContext): Promise<Offer> {
    const memory = memoryOf(context);
    memory.offer ??= await findOffer(context);
    return memory.offer;
  }

  async function track(offer: Offer, messages: readonly MessageView[], context: SkillContext): Promise<TrackedSkills> {
    const { mentions = wanted, store } = context;
    const memory = memoryOf(context);
    if (store !== undefined && memory.hasLoaded !== true) await exchange(store, memory, context);
    memory.hasLoaded = true;
    const given = await findGiven(offer, messages, { names, approvals }, context);
    const tracked = trackSkills(messages, mergeStates(memory.stored, context.state, memory.state), {
      catalog: offer.reachable,
      named: offer.named,
      allowed: offer.allowed,
      given,
      tools: names,
      preloaded: preloadedNames(offer.decidable, preload),
      mentions: typeof mentions === 'boolean' ? { slash: mentions, dollar: mentions } : mentions,
    });
    return endWithdrawn(tracked, offer, approvals, context);
  }

  async function keep(state: SkillState, context: SkillContext): Promise<void> {
    const memory = memoryOf(context);
    memory.state = state;
    const { onState, store } = context;
    if (onState !== undefined) await attempt(() => onState(state), memory, context);
    if (store === undefined || memory.stored === undefined) return;
    const known = mergeStates(readStoredState(state));
    // A new last message alone is not worth a write.
    if (JSON.stringify(memory.stored.skills) === JSON.stringify(known.skills)) return;
    await exchange(store, memory, context, (stored) => mergeStates(stored, known));
  }

  /** Reads the store, and saves what `change` makes of it. */
  function exchange(
    store: ConversationStore,
    memory: RunMemory,
    context: SkillContext,
    change?: (stored: SkillState) => SkillState,
  ): Promise<void> {
    const work = async () => {
      memory.stored = await keepState(store, change);
    };
    return attempt(work, memory, context);
  }

  /** Waits at most 5 seconds. The first failure of a run is reported. Rejects only if the signal is aborted. */
  async function attempt(work: () => unknown, memory: RunMemory, context: SkillContext): Promise<void> {
    const working = Promise.resolve().then(work);
    const done = inTime(working, 5_000, 'The store did not answer within 5 seconds.').catch((error: unknown) => {
      if (memory.hasFailed !== true) emit({ type: 'state-failed', reason: reasonOf(error), tokens: 0 }, context);
      memory.hasFailed = true;
    });
    if (memory.hasFailed !== true) await untilAborted(done, context.signal);
  }

  return { memoryOf, findOffer, offerFor, track, keep };
}
