// Discloses the catalog in each model call of a Mastra agent, behind its own instructions, and keeps active skills in it.

import type {
  InputProcessor,
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
} from '@mastra/core/processors';
import type { ActiveSkill, SkillToolkit } from '@skillful/core';
import { readItems, replaceResults } from './conversation.ts';
import { newEntries, readRecord, recordKey } from './record.ts';
import { type AgentMemory, openThread } from './thread.ts';

export interface SkillsProcessorOptions {
  /** The agent's own memory: its threads then keep what is active beyond the messages that are recalled. */
  readonly memory?: AgentMemory | undefined;
}

/**
 * Creates an input processor that discloses the catalog and re-attaches active skills.
 *
 * It belongs last in the list: processors that shorten the conversation have to stand before it. A toolkit's catalog
 * function receives, as its request, Mastra's `RequestContext`. Input processors that are given to a single call replace
 * those of the agent, and this one with them.
 */
export function skillsProcessor(toolkit: SkillToolkit, options: SkillsProcessorOptions = {}): InputProcessor {
  return {
    id: 'skillful',
    providesSkillDiscovery: 'on-demand',
    async processInputStep(step: ProcessInputStepArgs): Promise<ProcessInputStepResult> {
      const { systemMessages, tools: registered, activeTools, abortSignal, requestContext } = step;
      const { instructions, tools } = await toolkit.disclose({ signal: abortSignal, request: requestContext });
      const withheld = new Set(toolkit.tools.filter((tool) => !tools.includes(tool)).map((tool) => tool.name));
      const active = (activeTools ?? Object.keys(registered ?? {})).filter((name) => !withheld.has(name));
      return {
        ...(withheld.size === 0 ? {} : { activeTools: active }),
        ...(instructions === ''
          ? {}
          : { systemMessages: [...systemMessages, { role: 'system', content: instructions }] }),
      };
    },
    async processLLMRequest(call: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> {
      const { abortSignal: signal, requestContext: request } = call;
      const active = await readActive(call, toolkit, options.memory);
      const conversation = { items: readItems(call.prompt, toolkit), active };
      const { results, text } = await toolkit.attach({ signal, request, conversation });
      const prompt = replaceResults(call.prompt, toolkit, results);
      const first = prompt.findIndex((message) => message.role !== 'system');
      if (text !== '') prompt.splice(first === -1 ? prompt.length : first, 0, { role: 'system', content: text });
      return { prompt };
    },
  };
}

/** Reads what is active from the thread's record and this run's messages, and brings the record up to date. */
async function readActive(
  call: ProcessLLMRequestArgs,
  toolkit: SkillToolkit,
  agentMemory: AgentMemory | undefined,
): Promise<readonly ActiveSkill[]> {
  const { abortSignal: signal, requestContext: request, messageList, prompt } = call;
  const messages = messageList?.get.all.aiV5.model() ?? prompt;
  const thread = await openThread(call, agentMemory);
  const record = readRecord(thread?.metadata);
  const entries = newEntries(record, messages, toolkit);
  if (Object.keys(entries).length > 0)
    await thread?.update({ ...thread.metadata, [recordKey]: { ...record, ...entries } });
  const items = Object.values({ ...record, ...entries });
  return toolkit.readActive({ signal, request, conversation: { items } });
}
