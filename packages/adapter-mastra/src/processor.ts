// Discloses the catalog in each model call of a Mastra agent, behind its own instructions, and keeps active skills in it.

import type {
  InputProcessor,
  ProcessInputStepArgs,
  ProcessInputStepResult,
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
} from '@mastra/core/processors';
import type { ActiveSkill, SkillToolkit } from '@skillful/core';
import { type MessageLike, readItems, readStored, replaceResults } from './conversation.ts';
import { mergeRecords, type RecordEntry, recordMessages } from './record.ts';
import { recoverCalls } from './recover.ts';
import { type AgentMemory, findThread, type SkillMemory, updateRecord } from './thread.ts';

/**
 * Creates an input processor that discloses the catalog and re-attaches active skills.
 *
 * Put it last in the list, after processors that shorten the conversation. A toolkit's catalog function receives Mastra's
 * `RequestContext` as its request. Input processors of a single call replace those of the agent, including this one.
 */
export function skillsProcessor(toolkit: SkillToolkit, options: SkillMemory = {}): InputProcessor {
  return {
    id: 'skillful',
    providesSkillDiscovery: 'on-demand',
    async processInputStep(step: ProcessInputStepArgs): Promise<ProcessInputStepResult> {
      const { systemMessages, tools: registered = {}, activeTools, abortSignal, requestContext } = step;
      step.state[stepKey] = { tools: new Set(Object.keys(registered)), messages: step.messageList } satisfies KnownStep;
      const { system, withheld } = await toolkit.disclose({ signal: abortSignal, request: requestContext });
      const active = (activeTools ?? Object.keys(registered)).filter((name) => !withheld.includes(name));
      return {
        ...(withheld.length === 0 ? {} : { activeTools: active }),
        ...(system === '' ? {} : { systemMessages: [...systemMessages, { role: 'system', content: system }] }),
      };
    },
    async processLLMRequest(call: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> {
      const { abortSignal: signal, requestContext: request } = call;
      const context = { signal, request };
      const step = call.state[stepKey] as KnownStep | undefined;
      const tools = step?.tools ?? new Set(toolkit.tools.map(({ name }) => name));
      const shown = await recoverCalls(call.prompt, tools, toolkit, context);
      const stored = step === undefined ? shown : readStored(step.messages.get.all.aiV5.ui());
      const whole = await recoverCalls<MessageLike>(stored, tools, toolkit, context);
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

/** Where the processor keeps, for its run, what it has recorded: a memory may lose it or fail. */
const recordedKey = 'recorded';

/** Reads what is active from the thread's record and this run's messages, and brings the record up to date. */
async function readActive(
  call: ProcessLLMRequestArgs,
  messages: readonly MessageLike[],
  toolkit: SkillToolkit,
  memory: AgentMemory | undefined,
): Promise<readonly ActiveSkill[]> {
  const { abortSignal: signal, requestContext: request, state } = call;
  const recorded = (state[recordedKey] ?? []) as readonly RecordEntry[];
  const update = (record: readonly RecordEntry[]): readonly RecordEntry[] =>
    recordMessages(mergeRecords(record, recorded), messages, toolkit);
  const thread = findThread(request, memory);
  const kept =
    thread &&
    (await updateRecord(thread, update).catch((error): undefined => {
      toolkit.reportRecordFailure(error);
    }));
  const items = kept ?? update([]);
  state[recordedKey] = items;
  return toolkit.readActive({ signal, request, conversation: { items } });
}
