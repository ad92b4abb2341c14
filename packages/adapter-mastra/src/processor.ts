// Discloses the catalog in each model call of a Mastra agent, behind its own instructions, and keeps active skills in it.

import type {
  InputProcessor,
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
} from '@mastra/core/processors';
import type { ActiveSkill, SkillToolkit } from '@skillful/core';
import { type MessageLike, readItems, replaceResults } from './conversation.ts';
import { newEntries, readRecord, recordKey } from './record.ts';
import { recoverCalls } from './recover.ts';
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
      const { systemMessages, tools: registered = {}, activeTools, abortSignal, requestContext } = step;
      step.state[stepKey] = { tools: new Set(Object.keys(registered)), messages: step.messageList } satisfies KnownStep;
      const { instructions, tools } = await toolkit.disclose({ signal: abortSignal, request: requestContext });
      const withheld = new Set(toolkit.tools.filter((tool) => !tools.includes(tool)).map((tool) => tool.name));
      const active = (activeTools ?? Object.keys(registered)).filter((name) => !withheld.has(name));
      return {
        ...(withheld.size === 0 ? {} : { activeTools: active }),
        ...(instructions === ''
          ? {}
          : { systemMessages: [...systemMessages, { role: 'system', content: instructions }] }),
      };
    },
    async processLLMRequest(call: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> {
      const { abortSignal: signal, requestContext: request } = call;
      const context = { signal, request };
      const step = call.state[stepKey] as KnownStep | undefined;
      const tools = step?.tools ?? new Set(toolkit.tools.map(({ name }) => name));
      const shown = await recoverCalls(call.prompt, tools, toolkit, context);
      const whole = await recoverCalls<MessageLike>(
        step?.messages.get.all.aiV5.model() ?? shown,
        tools,
        toolkit,
        context,
      );
      const active = await readActive(call, whole, toolkit, options.memory);
      const conversation = { items: readItems(shown, toolkit), active };
      const { results, text } = await toolkit.attach({ ...context, conversation });
      const prompt = replaceResults(shown, toolkit, results);
      const first = prompt.findIndex((message) => message.role !== 'system');
      if (text !== '') prompt.splice(first === -1 ? prompt.length : first, 0, { role: 'system', content: text });
      return { prompt };
    },
  };
}

/** Where the processor notes, from one hook to the next of the same step, what only the first of them is told. */
const stepKey = 'step';

interface KnownStep {
  /** The tools that the agent has. */
  readonly tools: ReadonlySet<string>;
  /** The conversation as it is before other processors shorten the prompt. */
  readonly messages: ProcessInputStepArgs['messageList'];
}

/** Reads what is active from the thread's record and this run's messages, and brings the record up to date. */
async function readActive(
  call: ProcessLLMRequestArgs,
  messages: readonly MessageLike[],
  toolkit: SkillToolkit,
  agentMemory: AgentMemory | undefined,
): Promise<readonly ActiveSkill[]> {
  const { abortSignal: signal, requestContext: request } = call;
  const thread = await openThread(call, agentMemory);
  const record = readRecord(thread?.metadata);
  const entries = newEntries(record, messages, toolkit);
  if (Object.keys(entries).length > 0)
    await thread?.update({ ...thread.metadata, [recordKey]: { ...record, ...entries } });
  const items = Object.values({ ...record, ...entries });
  return toolkit.readActive({ signal, request, conversation: { items } });
}
