// Changes the stored state of a conversation, one change after the other, because a state is read and written whole.

import { createOrder } from '../runtime/in-order.ts';
import { inTime } from '../runtime/in-time.ts';
import type { SkillState } from './conversation.ts';
import { readStoredState } from './stored.ts';
import { mergeStates } from './tracked.ts';

/** A place for the state of each conversation where no client can write. */
export interface SkillStore {
  load(conversation: string): Promise<unknown>;
  save(conversation: string, state: SkillState): Promise<void>;
}

/** By conversation. */
const inOrder = createOrder();

/** Reads the stored state, and saves it if it changes. In this process, changes at the same time do not undo each other. */
export function keepState(
  conversation: string,
  open: () => Promise<SkillStore | undefined>,
  change: (known: SkillState) => Promise<SkillState> | SkillState = (known) => known,
): Promise<SkillState | undefined> {
  const keep = async () => {
    const store = await open();
    if (store === undefined) return undefined;
    const known = mergeStates(readStoredState(await store.load(conversation)));
    const changed = await change(known);
    if (JSON.stringify(changed) !== JSON.stringify(known)) await store.save(conversation, changed);
    return changed;
  };
  // A store that does not answer must not block later changes.
  return inOrder(conversation, () => inTime(keep(), 5_000, 'The store did not answer within 5 seconds.'));
}
