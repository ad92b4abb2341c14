// Reads the memory thread of a conversation, and stores the state of its skills with it.

import type { AgentConfig, AgentExecutionOptions } from '@mastra/core/agent';
import type { Mastra } from '@mastra/core/mastra';
import { RequestContext } from '@mastra/core/request-context';
import type { ConversationStore, EventContext, MessageView, SkillStore, SkillToolkit } from '@skillful/core';
import { viewStored } from './view.ts';

/** The memory of an agent, in the form of its configuration. */
export type AgentMemory = NonNullable<AgentConfig['memory']>;

/** A toolkit whose catalog function, if it has one, takes Mastra's `RequestContext`. */
export type AgentToolkit = SkillToolkit<NonNullable<SkillThread['requestContext']>>;

/** A conversation. */
export interface SkillThread {
  readonly threadId: string;
  /** The owner of the thread. If the thread belongs to another resource, its memory is neither read nor changed. */
  readonly resourceId?: string | undefined;
  /** The agent's own memory, whose storage keeps the state of each thread. */
  readonly memory?: AgentMemory | undefined;
  /** Stores the state of the memory's threads instead, for a storage without a durable `threadState`. */
  readonly store?: SkillStore | undefined;
  /** Passed to a memory that is a function, and to the toolkit's catalog function. */
  readonly requestContext?: AgentExecutionOptions['requestContext'];
  /** What to add to every event besides `thread`. */
  readonly about?: EventContext | undefined;
}

/** A thread of an agent, and the `mastra` of that agent, which a memory that is a function may need. */
interface AgentThread extends SkillThread {
  readonly mastra?: Mastra | undefined;
}

/** Returns the store for the state of a thread. */
export function storeOf(thread: AgentThread): ConversationStore {
  const open = async (): Promise<SkillStore | undefined> => {
    const own = await openOwn(thread);
    if (own === undefined) return undefined;
    const store = thread.store ?? (await openThreadState(own));
    const { memoryConfig } = Object(thread.requestContext?.get('MastraMemory'));
    // A call that only reads its memory leaves no skill behind, not even in a cloned thread.
    const isReadOnly = memoryConfig?.readOnly === true;
    return openState(own, isReadOnly ? { load: (id) => store.load(id), save: async () => {} } : store);
  };
  return { conversation: thread.threadId, open };
}

/** Reads the latest messages of a thread. */
export async function loadMessages(thread: SkillThread, toolkit: SkillToolkit): Promise<readonly MessageView[]> {
  const { threadId } = thread;
  const recalled = await (await openOwn(thread))?.memory.recall({ threadId });
  return viewStored(recalled?.messages ?? [], toolkit);
}

/** Opens the memory of a thread; `undefined` if it has no such thread, or if the thread belongs to another resource. */
async function openOwn(thread: AgentThread) {
  const { threadId, resourceId } = thread;
  const memory = await openMemory(thread);
  const found = await memory?.getThreadById({ threadId });
  return memory && found && found.resourceId === (resourceId ?? found.resourceId) ? { memory, found } : undefined;
}

/** Opens a memory as the agent does: one that a function creates without a storage gets that of Mastra. */
async function openMemory({ memory, requestContext = new RequestContext(), mastra }: AgentThread) {
  if (typeof memory !== 'function') return memory;
  const opened = await memory({ requestContext, ...(mastra && { mastra }) });
  const storage = mastra?.getStorage();
  if (storage !== undefined && !opened.hasOwnStorage) opened.setStorage(storage);
  return opened;
}

/** A thread, and the memory that has it. */
type OwnThread = NonNullable<Awaited<ReturnType<typeof openOwn>>>;

/** Opens Mastra's store for the state of threads. No route of Mastra's server lets a client write there. */
async function openThreadState({ memory, found: { resourceId } }: OwnThread): Promise<SkillStore> {
  const states = await memory.storage.getStore('threadState');
  if (states === undefined) {
    throw new Error('The storage of the memory keeps no `threadState`. Pass a `store` for the state of skills.');
  }
  const keyOf = (threadId: string) => ({ threadId, resourceId, type: 'skillful' });
  return {
    load: (threadId) => states.getState(keyOf(threadId)),
    save: (threadId, value) => states.setState({ ...keyOf(threadId), value }),
  };
}

/** Opens the state of a thread in a store, and stores with it whose it is. */
function openState({ memory, found }: OwnThread, store: SkillStore): SkillStore {
  const owner = { resourceId: found.resourceId, createdAt: createdAt(found) };
  const read = async (thread: typeof found) => {
    const value = Object(await store.load(thread.id));
    // A deleted thread leaves its state behind, and another resource that reuses the id must not get it.
    return value.resourceId === thread.resourceId || value.createdAt === createdAt(thread) ? value : undefined;
  };
  const save: SkillStore['save'] = (threadId, state) => store.save(threadId, { ...state, ...owner });
  return {
    async load(threadId) {
      const known = await read(found);
      const copied = Object(found.metadata?.['clone']).sourceThreadId;
      if (known !== undefined || typeof copied !== 'string') return known;
      // A cloned thread begins with the skills that its source had then. They are saved at once, because the metadata with the
      // source may change.
      const source = await memory.getThreadById({ threadId: copied });
      if (source?.resourceId !== owner.resourceId) return undefined;
      const { skills = {}, ...rest } = Object(await read(source));
      const before = Object.entries(skills).filter(([, record]) => Object(record).at <= owner.createdAt);
      const state = { origin: copied, ...rest, skills: Object.fromEntries(before) };
      await save(threadId, state);
      return state;
    },
    save,
  };
}

function createdAt(thread: { readonly createdAt: Date }): number {
  return new Date(thread.createdAt).getTime();
}
