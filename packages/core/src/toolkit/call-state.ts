// Derives which skills are active in a call, and stores that where its context says.

import type { MessageView, SkillState } from '../conversation/conversation.ts';
import { preloadedNames } from '../conversation/decisions.ts';
import { loadState, type StateKeeping, saveState } from '../conversation/store.ts';
import { parseStoredState } from '../conversation/stored.ts';
import { trackSkills } from '../conversation/track.ts';
import { mergeStates, type TrackedSkills } from '../conversation/tracked.ts';
import { reasonOf } from '../skill/error.ts';
import type { Offer } from './offer.ts';
import { endWithdrawn, findConsents } from './permission/consented.ts';
import type { CallParts, RunMemory } from './toolkit-parts.ts';

/** Derives the active skills from messages, by default those of the context, and from the state that is stored with them. */
export async function trackCall(
  offer: Offer,
  parts: CallParts,
  messages: readonly MessageView[] = parts.context.messages ?? [],
): Promise<TrackedSkills> {
  const { options, names, context } = parts;
  const { mentions = options.mentions } = context;
  const memory = parts.memoryOf(context);
  await loadState(keepingOf(parts, memory));
  // Once the store is back, it counts again: only it knows what the application decided.
  if (memory.isGuessed === true && memory.stored !== undefined) memory.state = undefined;
  memory.isGuessed = memory.hasFailed === true && memory.stored === undefined;
  const consents = await findConsents(offer, messages, parts);
  const tracked = trackSkills(messages, mergeStates(memory.stored, parseStoredState(context.state), memory.state), {
    forUser: offer.forUser,
    forAnyone: offer.forAnyone,
    withoutConsent: offer.withoutConsent,
    consents,
    tools: names,
    preloaded: preloadedNames(offer.forCode, options.preload ?? []),
    mentions: typeof mentions === 'boolean' ? { slash: mentions, dollar: mentions } : mentions,
  });
  return endWithdrawn(tracked, offer, parts);
}

/** Keeps the state of a model call for its tools, and stores it. */
export async function keepCall(state: SkillState, parts: CallParts): Promise<void> {
  const memory = parts.memoryOf(parts.context);
  memory.state = state;
  await saveState(state, keepingOf(parts, memory));
}

function keepingOf({ context, emit }: CallParts, memory: RunMemory): StateKeeping {
  const report = (error: unknown) => emit({ type: 'state-failed', reason: reasonOf(error), tokens: 0 }, context);
  return { ...context, memory, report };
}
