// Reads and spoils what a memory's storage keeps of a thread's skills.

import type { Memory } from '@mastra/memory';

/** Mastra's own place for the state of threads. */
export async function threadStates(memory: Memory) {
  const states = await memory.storage.getStore('threadState');
  if (states === undefined) throw new Error('This storage keeps no state of threads.');
  return states;
}

export async function stateOf(memory: Memory, threadId = 'one'): Promise<unknown> {
  return (await threadStates(memory)).getState({ threadId, type: 'skillful' });
}

/** Stores a state as somebody else would: only what says whose it is stays. */
export async function overwriteState(memory: Memory, state: object, threadId = 'one'): Promise<void> {
  const states = await threadStates(memory);
  const key = { threadId, type: 'skillful' };
  const { resourceId, createdAt } = Object(await states.getState(key));
  await states.setState({ ...key, value: { resourceId, createdAt, ...state } });
}
