// The memory thread of a conversation, and the state of its skills in the thread's metadata.

import type { AgentConfig } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import type { EventContext, MessageView, SkillState, SkillToolkit } from '@skillful/core';
import { viewStored } from './view.ts';

/** The memory of an agent, as its configuration takes it. */
export type AgentMemory = NonNullable<AgentConfig['memory']>;

/** A place for the state of each thread where no client can write. */
export interface SkillStore {
  load(threadId: string): Promise<unknown>;
  save(threadId: string, state: SkillState): Promise<void>;
}

/** A conversation. */
export interface SkillThread {
  readonly threadId: string;
  /** A thread of another resource keeps nothing. */
  readonly resourceId?: string | undefined;
  /** The agent's own memory, whose threads keep the state in their metadata. */
  readonly memory?: AgentMemory | undefined;
  /** Keeps the state instead of the metadata, which a client may change through Mastra's own routes. */
  readonly store?: SkillStore | undefined;
  /** For a memory that is found per request, and for the toolkit's catalog function. */
  readonly requestContext?: RequestContext | undefined;
  /** What every event says beside `thread`. */
  readonly about?: EventContext | undefined;
}

/** Reads and changes what is kept of a thread, after all who began before; undefined if nothing keeps it. */
export function keepState(
  thread: SkillThread,
  { merge }: SkillToolkit,
  change: (known: SkillState) => Promise<SkillState> | SkillState = (known) => known,
): Promise<SkillState | undefined> {
  const { threadId } = thread;
  return inTurn(threadId, async () => {
    const store = thread.store ?? (await openMetadata(thread));
    if (store === undefined) return undefined;
    const known = merge(await store.load(threadId));
    const changed = await change(known);
    if (JSON.stringify(changed) !== JSON.stringify(known)) await store.save(threadId, changed);
    return changed;
  });
}

/** Reads the latest messages of a thread. */
export async function loadMessages(thread: SkillThread): Promise<readonly MessageView[]> {
  const memory = await openMemory(thread);
  return viewStored((await memory?.recall({ threadId: thread.threadId }))?.messages ?? []);
}

async function openMemory({ memory, requestContext = new RequestContext() }: SkillThread) {
  return typeof memory === 'function' ? await memory({ requestContext }) : memory;
}

async function openMetadata(thread: SkillThread): Promise<SkillStore | undefined> {
  const memory = await openMemory(thread);
  const found = await memory?.getThreadById({ threadId: thread.threadId });
  if (memory === undefined || !found || found.resourceId !== (thread.resourceId ?? found.resourceId)) return undefined;
  const { resourceId } = found;
  // Some stores return null.
  const metadata: Record<string, unknown> = found.metadata ?? {};
  return {
    async load() {
      const copied = Object(metadata['clone']).sourceThreadId;
      if (metadata[field] !== undefined || typeof copied !== 'string') return metadata[field];
      // The copy of a thread has metadata of its own.
      const source = await memory.getThreadById({ threadId: copied });
      return source?.resourceId === resourceId ? source.metadata?.[field] : undefined;
    },
    async save(id, state) {
      await memory.updateThread({ id, title: found.title ?? '', metadata: { ...metadata, [field]: state } });
    },
  };
}

/** Where thread metadata keeps the state. */
const field = 'skillful';

/** The latest of what waits for its turn, by thread: metadata is read and written whole, so that two writers lose one's. */
const turns = new Map<string, Promise<void>>();

function inTurn<Result>(threadId: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(threadId) ?? Promise.resolve()).then(() => inTime(work()));
  const end = () => {
    if (turns.get(threadId) === done) turns.delete(threadId);
  };
  const done = turn.then(end, end);
  turns.set(threadId, done);
  return turn;
}

/** Gives up on a store that does not answer, so that nothing waits for it for good. */
function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The store did not answer within 5 seconds.')), 5_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
