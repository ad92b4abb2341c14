// The memory thread of a call, where the agent has a memory.

import type { AgentConfig } from '@mastra/core/agent';
import type { ProcessLLMRequestArgs } from '@mastra/core/processors';

type Metadata = Readonly<Record<string, unknown>>;

/** A thread's metadata, and the way to write it. */
export interface OpenThread {
  readonly metadata: Metadata;
  update(metadata: Metadata): Promise<void>;
}

/** The memory of an agent, as its configuration takes it. */
export type AgentMemory = NonNullable<AgentConfig['memory']>;

/** Opens the thread of a call; undefined where the agent has no memory or the call names no thread. */
export async function openThread(
  { requestContext }: ProcessLLMRequestArgs,
  agentMemory: AgentMemory | undefined,
): Promise<OpenThread | undefined> {
  const threadId = threadIdOf(requestContext?.get('MastraMemory'));
  if (agentMemory === undefined || requestContext === undefined || threadId === undefined) return undefined;
  const memory = typeof agentMemory === 'function' ? await agentMemory({ requestContext }) : agentMemory;
  const thread = await memory.getThreadById({ threadId });
  if (thread === null) return undefined;
  return {
    metadata: thread.metadata ?? {},
    async update(metadata) {
      await memory.updateThread({ id: thread.id, title: thread.title ?? '', metadata: { ...metadata } });
    },
  };
}

function threadIdOf(memoryContext: unknown): string | undefined {
  if (typeof memoryContext !== 'object' || memoryContext === null || !('thread' in memoryContext)) return undefined;
  const { thread } = memoryContext;
  return typeof thread === 'object' && thread !== null && 'id' in thread ? String(thread.id) : undefined;
}
