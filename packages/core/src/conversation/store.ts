// Keeps the state of a conversation in a store that may fail, or not answer.

import { createOrder } from '../runtime/in-order.ts';
import { inTime } from '../runtime/in-time.ts';
import { untilAborted } from '../runtime/until-aborted.ts';
import type { SkillState } from './conversation.ts';
import { readStoredState } from './stored.ts';
import { mergeStates } from './tracked.ts';

/** Waits for a store, at most 5 seconds. */
function awaitStore<T>(work: Promise<T>): Promise<T> {
  return inTime(work, 5_000, 'The store did not answer within 5 seconds.');
}

/** What a run remembers of its store. */
export interface StoreMemory {
  /** A write failed: nothing waits for another one. */
  hasFailed?: boolean;
}

/** Waits for a write, at most 5 seconds. The first failure of a run is reported. Rejects only if the signal is aborted. */
export async function storeState(
  write: () => unknown,
  memory: StoreMemory,
  signal: AbortSignal | undefined,
  report: (error: unknown) => void,
): Promise<void> {
  const writing = Promise.resolve().then(write);
  const done = awaitStore(writing).catch((error: unknown) => {
    if (memory.hasFailed !== true) report(error);
    memory.hasFailed = true;
  });
  if (memory.hasFailed !== true) await untilAborted(done, signal);
}

/** A place for the state of each conversation where no client can write. */
export interface SkillStore {
  load(conversation: string): Promise<unknown>;
  save(conversation: string, state: SkillState): Promise<void>;
}

/** By conversation, because a state is read and written whole. */
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
  return inOrder(conversation, () => awaitStore(keep()));
}
