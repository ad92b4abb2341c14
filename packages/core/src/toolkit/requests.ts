// What a toolkit knows about a request: what is offered, which skills are active, and what its run remembers.

import type { MessageView } from '../conversation/conversation.ts';
import { preloadedNames } from '../conversation/decisions.ts';
import { trackSkills } from '../conversation/track.ts';
import { mergeStates, type TrackedSkills } from '../conversation/tracked.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import type { Offer } from './offer.ts';
import type { CatalogInput, ToolkitOptions } from './options.ts';
import { endWithdrawn, findConsents } from './permission/consented.ts';
import type { Requests, RunMemory, ToolkitParts } from './toolkit-parts.ts';
import type { SkillContext } from './tools/tool.ts';

/** Creates what the tools and the model calls of a toolkit ask about their request. */
export function createRequests<Request>(
  input: CatalogInput<Request>,
  { preload = [], mentions: wanted }: ToolkitOptions,
  { names, policyFor, offerOf, approvals }: Pick<ToolkitParts, 'names' | 'policyFor' | 'offerOf' | 'approvals'>,
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

  async function track(
    offer: Offer,
    context: SkillContext,
    messages: readonly MessageView[] = context.messages ?? [],
  ): Promise<TrackedSkills> {
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
