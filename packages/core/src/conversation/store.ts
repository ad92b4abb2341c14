// Keeps the state of a conversation in a store that may fail or not answer.

import { createOrder } from '../runtime/in-order.ts';
import { inTime, untilAborted } from '../runtime/until-aborted.ts';
import type { SkillState } from './conversation.ts';
import { parseStoredState } from './stored.ts';
import { mergeStates } from './tracked.ts';

/** A place for the states of conversations where clients cannot write. */
export interface SkillStore {
  /** Returns what was saved last, with all its fields: an adapter may add whose conversation it is. */
  load(conversation: string): Promise<unknown>;
  save(conversation: string, state: SkillState): Promise<void>;
}

/** The store of one conversation. */
export interface ConversationStore {
  readonly conversation: string;
  /** Opens the store; `undefined` if there is none. */
  open(): Promise<SkillStore | undefined>;
}

/** Runs changes of one conversation in order, because a state is read and written as a whole. */
const inOrder = createOrder();

/**
 * Reads the stored state, and saves it if `change` changes it. Simultaneous changes in this process do not undo each other. Rejects
 * after 5 seconds, or if the signal is aborted, and then saves nothing.
 */
export function keepState(
  { conversation, open }: ConversationStore,
  change: (known: SkillState) => Promise<SkillState> | SkillState = (known) => known,
  signal?: AbortSignal,
): Promise<SkillState | undefined> {
  let isGivenUp = false;
  const keep = async () => {
    const store = await open();
    if (store === undefined) return undefined;
    const known = mergeStates(parseStoredState(await store.load(conversation)));
    const changed = await change(known);
    // A later change may have been saved meanwhile.
    if (!isGivenUp && JSON.stringify(changed) !== JSON.stringify(known)) await store.save(conversation, changed);
    return changed;
  };
  // A store that does not answer must not block later changes.
  return inOrder(conversation, async () => {
    try {
      return await untilAborted(awaitStore(keep()), signal);
    } finally {
      isGivenUp = true;
    }
  });
}

/** What a run remembers of its store. */
export interface StoreMemory {
  /** Whether the store was read for this model call. */
  hasLoaded?: boolean;
  /** The last known content of the store. */
  stored?: SkillState | undefined;
  /** Whether storing has failed in this run: nothing waits for it again. */
  hasFailed?: boolean;
  /** Whether the state was derived from the messages alone, because the store could not be read. It is not saved. */
  isGuessed?: boolean;
}

/** Where a run keeps its state, and what it remembers about its store. */
export interface StateKeeping {
  readonly store?: ConversationStore | undefined;
  readonly onState?: ((state: SkillState) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly memory: StoreMemory;
  /** Called with the first failure of a run. */
  readonly report: (error: unknown) => void;
}

/** Reads the store once for each model call. */
export async function loadState(keeping: StateKeeping): Promise<void> {
  const { memory } = keeping;
  if (memory.hasLoaded !== true) await exchange(keeping);
  memory.hasLoaded = true;
}

/** Passes the state to `onState`, and saves it in the store if a skill changed. */
export async function saveState(state: SkillState, keeping: StateKeeping): Promise<void> {
  const { onState, memory } = keeping;
  if (onState !== undefined) await attempt(() => onState(state), keeping);
  if (memory.stored === undefined || memory.isGuessed === true) return;
  const known = mergeStates(parseStoredState(state));
  // If only the last message is new, the state is not saved.
  if (JSON.stringify(memory.stored.skills) === JSON.stringify(known.skills)) return;
  await exchange(keeping, (stored) => mergeStates(stored, known));
}

/** Reads the store, if there is one, and saves the state that `change` returns. */
async function exchange(keeping: StateKeeping, change?: (stored: SkillState) => SkillState): Promise<void> {
  const { store, memory } = keeping;
  if (store === undefined) return;
  const work = async () => {
    memory.stored = await keepState(store, change);
  };
  await attempt(work, keeping);
}

/** Waits for work with a store. Reports the first failure of a run. Rejects only if the signal is aborted. */
async function attempt(work: () => unknown, { memory, signal, report }: StateKeeping): Promise<void> {
  const done = awaitStore(Promise.resolve().then(work)).catch((error: unknown) => {
    if (memory.hasFailed !== true) report(error);
    memory.hasFailed = true;
  });
  if (memory.hasFailed !== true) await untilAborted(done, signal);
}

function awaitStore<T>(work: Promise<T>): Promise<T> {
  return inTime(work, 5_000, 'The store did not answer within 5 seconds.');
}
