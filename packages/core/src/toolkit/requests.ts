// What a toolkit knows about a request: what is offered, which skills are active, and what its run remembers.

import type { Catalog } from '../catalog/catalog.ts';
import type { MessageView, SkillState } from '../conversation/conversation.ts';
import { preloadedNames } from '../conversation/decisions.ts';
import type { StoreMemory } from '../conversation/store-state.ts';
import { trackSkills } from '../conversation/track.ts';
import { mergeStates, type TrackedSkills } from '../conversation/tracked.ts';
import type { SkillPolicy } from '../policy/policy.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import type { Offer } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import type { Approvals } from './permission/approval.ts';
import { endWithdrawn, findConsents } from './permission/consented.ts';
import type { ToolNames } from './tool-names.ts';
import type { SkillContext } from './tools/tool.ts';

/** What one run remembers between its model calls and their tools. */
export interface RunMemory extends StoreMemory {
  offer?: Offer;
  /** The offer was found for a model call that is not prepared yet. */
  hasBegun?: boolean;
  state?: SkillState;
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
  }: {
    readonly names: ToolNames;
    readonly policyFor: (context: SkillContext) => SkillPolicy;
    readonly offerOf: (catalog: Catalog, policy: SkillPolicy) => Offer;
    readonly approvals: Approvals;
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
    const { mentions = wanted } = context;
    const consents = await findConsents(offer, messages, { names, approvals }, context);
    const tracked = trackSkills(messages, mergeStates(memoryOf(context).state, context.state), {
      forUser: offer.forUser,
      forAnyone: offer.forAnyone,
      withoutConsent: offer.withoutConsent,
      consents,
      tools: names,
      preloaded: preloadedNames(offer.forCode, preload),
      mentions: typeof mentions === 'boolean' ? { slash: mentions, dollar: mentions } : mentions,
    });
    return endWithdrawn(tracked, offer, approvals, context);
  }

  return { memoryOf, findOffer, offerFor, track };
}
