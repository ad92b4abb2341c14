// The memory thread of a conversation, and the record in its metadata.

import type { AgentConfig } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { type RecordEntry, readRecord, recordKey } from './record.ts';

/** The memory of an agent, as its configuration takes it. */
export type AgentMemory = NonNullable<AgentConfig['memory']>;

/** What keeps the conversations of an agent. */
export interface SkillMemory {
  /** The agent's own memory: its threads then keep what is active beyond the messages that are recalled. */
  readonly memory?: AgentMemory | undefined;
}

/** A thread of an agent's memory. */
export interface SkillThread {
  readonly memory: AgentMemory;
  readonly threadId: string;
  /** For a memory that is found per request, and for the toolkit's catalog function. */
  readonly requestContext?: RequestContext | undefined;
}

/** Finds the thread of a call; undefined where the agent has no memory or the call names no thread. */
export function findThread(
  requestContext: RequestContext | undefined,
  memory: AgentMemory | undefined,
): SkillThread | undefined {
  const context: unknown = requestContext?.get('MastraMemory');
  if (memory === undefined || typeof context !== 'object' || context === null || !('thread' in context))
    return undefined;
  const { thread } = context;
  if (typeof thread !== 'object' || thread === null || !('id' in thread)) return undefined;
  return { memory, threadId: String(thread.id), requestContext };
}

/**
 * Brings the record of a thread up to date: `change` is given what stands there at that moment. Gives the record as it is
 * then; undefined where the memory has no such thread.
 */
export function updateRecord(
  thread: SkillThread,
  change: (record: readonly RecordEntry[]) => readonly RecordEntry[],
): Promise<readonly RecordEntry[] | undefined> {
  return inTurn(thread.threadId, async () => {
    const memory = await openMemory(thread);
    const found = await memory.getThreadById({ threadId: thread.threadId });
    if (found === null) return undefined;
    const record = readRecord(found.metadata);
    const changed = change(record);
    if (changed.length > record.length) {
      const metadata = { ...found.metadata, [recordKey]: changed };
      await memory.updateThread({ id: found.id, title: found.title ?? '', metadata });
    }
    return changed;
  });
}

/** Reads the record of a thread; undefined where nothing is recorded. */
export async function readThread(thread: SkillThread): Promise<readonly RecordEntry[] | undefined> {
  const found = await (await openMemory(thread)).getThreadById({ threadId: thread.threadId });
  return found?.metadata?.[recordKey] === undefined ? undefined : readRecord(found.metadata);
}

async function openMemory({ memory, requestContext = new RequestContext() }: SkillThread) {
  return typeof memory === 'function' ? await memory({ requestContext }) : memory;
}

/** The latest of what waits for its turn, by thread: metadata is read and written whole, so that two writers lose one's. */
const turns = new Map<string, Promise<unknown>>();

async function inTurn<Result>(threadId: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(threadId) ?? Promise.resolve()).then(work);
  const done = turn.catch(() => undefined);
  turns.set(threadId, done);
  try {
    return await turn;
  } finally {
    if (turns.get(threadId) === done) turns.delete(threadId);
  }
}
