// What a toolkit knows about a request: what is offered, which skills are active, and what its run remembers.

import type { Catalog } from '../catalog/catalog.ts';
import type { MessageView, SkillState } from '../conversation/conversation.ts';
import { preloadedNames } from '../conversation/decisions.ts';
import type { SkillEvent } from '../conversation/event.ts';
import { keepState } from '../conversation/keep-state.ts';
import { type StoreMemory, storeState } from '../conversation/store-state.ts';
import { readStoredState } from '../conversation/stored.ts';
import { mergeStates, type TrackedSkills, trackSkills } from '../conversation/track.ts';
import type { SkillPolicy } from '../policy/policy.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import { reasonOf } from '../skill/error.ts';
import type { Offer } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import type { Approvals } from './permission/approval.ts';
import { endWithdrawn, findGiven } from './permission/consented.ts';
import type { ToolNames } from './setting.ts';
import type { SkillContext } from './tools/tool.ts';

/** What one run remembers between its model calls and their tools. */
export interface RunMemory extends StoreMemory {
  offer?: Offer;
  /** The offer was found for a model call that is not prepared yet. */
  hasBegun?: boolean;
  state?: SkillState;
  /** The store was read for this model call. */
  hasLoaded?: boolean;
  /** What the store is known to contain. */
  stored?: SkillState | undefined;
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
  {
    names,
    policyFor,
    offerOf,
    approvals,
    emit,
  }: {
    readonly names: ToolNames;
    readonly policyFor: (context: SkillContext) => SkillPolicy;
    readonly offerOf: (catalog: Catalog, policy: SkillPolicy) => Offer;
    readonly approvals: Approvals;
    readonly emit: (event: SkillEvent, context: SkillContext) => void;
  },
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
    if (store !== undefined && memory.hasLoaded !== true) {
      const load = async () => {
        memory.stored = await keepState(store);
      };
      await attempt(load, memory, context);
      memory.hasLoaded = true;
    }
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
    const known = mergeStates(readStoredState(state));
    const { stored } = memory;
    // A new last message alone is not worth a write.
    if (store === undefined || stored === undefined || JSON.stringify(stored.skills) === JSON.stringify(known.skills))
      return;
    const save = async () => {
      memory.stored = await keepState(store, (before) => mergeStates(before, known));
    };
    await attempt(save, memory, context);
  }

  function attempt(work: () => unknown, memory: StoreMemory, context: SkillContext): Promise<void> {
    return storeState(work, memory, context.signal, (error) =>
      emit({ type: 'state-failed', reason: reasonOf(error), tokens: 0 }, context),
    );
  }

  return { memoryOf, findOffer, offerFor, track, keep };
}
