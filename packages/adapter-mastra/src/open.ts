// Opens a memory or a workspace that is found for each request, in the same way for the processor as for its agent.

import type { Mastra } from '@mastra/core/mastra';
import type { RequestContext } from '@mastra/core/request-context';
import type { AgentMemory } from './thread.ts';
import type { AgentWorkspace } from './workspace.ts';

interface OpenCall {
  readonly mastra?: Mastra;
  readonly requestContext: RequestContext;
}

/** Returns a memory that the processor can open. As in the agent, a memory without a storage gets that of Mastra. */
export function shareMemory(memory: AgentMemory | undefined): AgentMemory | undefined {
  if (typeof memory !== 'function') return memory;
  return rememberMastra(async (call) => {
    const opened = await memory(call);
    const storage = call.mastra?.getStorage();
    if (storage !== undefined && !opened.hasOwnStorage) opened.setStorage(storage);
    return opened;
  });
}

/** Returns a workspace that the processor can open. An agent without a workspace uses that of its Mastra. */
export function shareWorkspace(workspace: AgentWorkspace = ({ mastra }) => mastra?.getWorkspace()): AgentWorkspace {
  return typeof workspace === 'function' ? rememberMastra(workspace) : workspace;
}

/** Remembers `mastra` from the agent's call, which comes first, because the processor does not receive it. */
function rememberMastra<Opened>(open: (call: OpenCall) => Opened): (call: OpenCall) => Opened {
  let known: Pick<OpenCall, 'mastra'> = {};
  return (call) => {
    if (call.mastra !== undefined) known = { mastra: call.mastra };
    return open({ ...call, ...known });
  };
}
