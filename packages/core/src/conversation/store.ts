// Keeps the state of a conversation in a store that may fail or not answer, and parses what comes from it: it may be from another
// version, or may have been altered.

import { renderLostAnswer } from '../disclosure/answers.ts';
import { createOrder } from '../runtime/in-order.ts';
import { recordOf } from '../runtime/record.ts';
import { inTime, untilAborted } from '../runtime/until-aborted.ts';
import type { SkillRecord, SkillState } from './conversation.ts';
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

/** Reads the stored state, and saves it if `change` changes it. Simultaneous changes in this process do not undo each other. */
export function keepState(
  { conversation, open }: ConversationStore,
  change: (known: SkillState) => Promise<SkillState> | SkillState = (known) => known,
): Promise<SkillState | undefined> {
  const keep = async () => {
    const store = await open();
    if (store === undefined) return undefined;
    const known = mergeStates(parseStoredState(await store.load(conversation)));
    const changed = await change(known);
    if (JSON.stringify(changed) !== JSON.stringify(known)) await store.save(conversation, changed);
    return changed;
  };
  // A store that does not answer must not block later changes.
  return inOrder(conversation, () => awaitStore(keep()));
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

/** A file that a model can read directly: an image, a PDF or a recording. */
export interface SkillToolPart {
  readonly mediaType: string;
  /** The bytes in base64, so that a result can be stored as JSON. */
  readonly data: string;
  readonly filename?: string;
}

/** The part of a tool result that can be stored: its text and its files. */
export interface StoredResult {
  /** The text for the model. */
  readonly text: string;
  /** Whether the call did nothing except explain how to call correctly. */
  readonly isError: boolean;
  /** Files for the model besides the text, if the framework can pass them on. */
  readonly files: readonly SkillToolPart[];
}

/** Parses the state of a conversation from a stored value. Leaves out everything that is not a valid record. */
export function parseStoredState(value: unknown): SkillState {
  const { seen, origin, skills } = recordOf(value);
  const records = Object.entries(recordOf(skills)).flatMap(([name, record]) => {
    const read = parseRecord(record);
    return read === undefined ? [] : [[name, read] as const];
  });
  return {
    ...(typeof seen === 'string' && { seen }),
    ...(typeof origin === 'string' && { origin }),
    skills: Object.fromEntries(records),
  };
}

/** Parses a record. Its keys are always in the same order, so that equal records are equal JSON even if a store reorders keys. */
function parseRecord(value: unknown): SkillRecord | undefined {
  const { by, at, digest, consent, lasting, key, hasArguments, moved, ended } = recordOf(value);
  if ((by !== 'model' && by !== 'user' && by !== 'code') || typeof at !== 'number') return undefined;
  return {
    by,
    at,
    ...(typeof digest === 'string' && { digest }),
    ...(typeof consent === 'string' && { consent }),
    ...(lasting === true && { lasting }),
    ...(typeof key === 'string' && { key }),
    ...(hasArguments === true && { hasArguments }),
    ...(moved === true && { moved }),
    ...(ended === true && { ended }),
  };
}

/** Returns the text and the files of a stored result, or a sentence for the model if it has no text. */
export function parseStoredResult(tool: string, value: unknown): StoredResult {
  if (typeof value === 'string') return { text: value, isError: false, files: [] };
  const { text, isError, files } = recordOf(value);
  if (typeof text !== 'string') return { text: renderLostAnswer(tool), isError: true, files: [] };
  const kept = (Array.isArray(files) ? files : []).map(recordOf).flatMap(({ mediaType, data, filename }) => {
    if (typeof mediaType !== 'string' || typeof data !== 'string') return [];
    return { mediaType, data, ...(typeof filename === 'string' && { filename }) };
  });
  return { text, isError: isError === true, files: kept };
}
