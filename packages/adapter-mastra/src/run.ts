// Shares the state of one run between its hooks and its tools.

import type { Mastra } from '@mastra/core/mastra';
import type { ProcessInputStepArgs, ProcessorStreamWriter } from '@mastra/core/processors';
import type { AdapterOptions, MessageView, SkillContext, SkillToolkit } from '@skillful/core';
import { type SkillThread, storeOf } from './thread.ts';
import { type AnswerCall, type StoredUsers, usersOf, viewCalls, viewStored } from './view.ts';
import type { AgentWorkspace } from './workspace.ts';

/** How an agent uses skills. Events are written as transient `data-skill` chunks, and output of a script as `data-skill-progress`. */
export interface SkillsOptions
  extends Pick<SkillThread, 'memory' | 'store'>,
    AdapterOptions<SkillThread['requestContext']> {
  /** The workspace of the agent. The catalog replaces the workspace's list of skills; add them with `workspaceSkills`. */
  readonly workspace?: AgentWorkspace | undefined;
  /**
   * The id of the agent, set by `withSkills`. It is not taken from the request, because a sub-agent may have that of its
   * supervisor.
   */
  readonly agent?: string | undefined;
}

/** The options of this adapter alone. */
export const optionNames: readonly string[] = ['memory', 'store', 'streamEvents', 'workspace', 'agent'];

/** One run of an agent. */
export interface SkillRun {
  /** The context that the core receives for every call. */
  readonly known: SkillContext;
  /** The conversation and the tools as of the latest model call. */
  messages?: readonly MessageView[] | undefined;
  offered?: readonly string[] | undefined;
  /** What the stored user messages of the conversation tell about the prompt. */
  users: StoredUsers;
  /** Whether a step has begun whose model call is still to come. */
  isBegun?: boolean;
  /** Returns the calls of the model's latest answer. */
  calls: () => readonly AnswerCall[];
  /** Writes events into the stream of the current step. */
  news?: ReturnType<SkillToolkit['createNewsWriter']> | undefined;
}

/** What Mastra passes to a step or a tool call. */
export interface RunCall {
  readonly threadId?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly requestContext?: SkillThread['requestContext'];
  readonly runId?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly messages?: object | undefined;
  readonly mastra?: Mastra | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Begins a run. */
export function createRun(call: RunCall, options: SkillsOptions): SkillRun {
  const { threadId, resourceId, requestContext, runId, mastra } = call;
  const { memory, store, agent, mentions, asks } = options;
  const about = typeof options.about === 'function' ? options.about(requestContext) : options.about;
  // Uses the thread that Mastra resolved, which a client cannot forge.
  const keeping =
    threadId === undefined ? undefined : storeOf({ threadId, resourceId, memory, store, requestContext, mastra });
  const known = { mentions, asks, about: { thread: threadId, run: runId, agent, ...about }, store: keeping };
  return { known, users: usersOf([]), calls: () => [] };
}

/** Returns the context of a call for the core. */
export function contextOf(
  run: SkillRun,
  { requestContext: request, abortSignal: signal }: RunCall,
): SkillContext<SkillThread['requestContext']> & { readonly run: object } {
  const { known, news, messages, offered } = run;
  return { ...known, ...news, run, messages, offered, request, signal };
}

/** Returns listeners that write into a stream. */
export function writeTo(
  writer: Pick<ProcessorStreamWriter, 'custom'> | undefined,
  toolkit: SkillToolkit,
): ReturnType<SkillToolkit['createNewsWriter']> {
  // A durable agent publishes its stream, which may fail.
  return toolkit.createNewsWriter({ write: (part) => void writer?.custom(part).catch(() => {}) });
}

/** Runs by the messages of a tool call, because no other object reaches hooks and tools unchanged. */
const runs = new WeakMap<object, SkillRun>();

/** Returns a copy of a tool call's messages, with which its hook and its tool find their run. */
export function rememberRun(messages: readonly unknown[], run: SkillRun): readonly unknown[] {
  const own = [...messages];
  runs.set(own, run);
  return own;
}

/** Checks whether the tool of a step passed a call on. */
export function isOfStep({ messages }: RunCall): boolean {
  return messages !== undefined && runs.has(messages);
}

/**
 * Finds the run of a call of a tool. A run that waited for a person may continue in another process; until its next model call, it
 * is restored from the storage. If that fails, the error is reported, and the model reads only that the tool failed.
 */
export async function findRun(
  tool: string,
  call: RunCall,
  options: SkillsOptions,
  toolkit: SkillToolkit,
): Promise<SkillRun> {
  try {
    return (call.messages && runs.get(call.messages)) ?? (await restoreRun(call, options, toolkit));
  } catch (error) {
    throw new Error(toolkit.reportFailure(tool, error, { signal: call.abortSignal }).text);
  }
}

async function restoreRun(call: RunCall, options: SkillsOptions, toolkit: SkillToolkit): Promise<SkillRun> {
  const { memoryInfo, messages } = await loadSuspended(call);
  const run = createRun({ ...call, ...memoryInfo }, options);
  run.messages = messages && viewStored(messages, toolkit);
  run.calls = () => viewCalls(messages ?? []);
  return run;
}

/** Reads the conversation of a suspended run, which Mastra stores until the run is over, even without a memory. */
async function loadSuspended({ mastra, runId }: RunCall): Promise<Suspended> {
  if (mastra === undefined || runId === undefined) return {};
  const workflows = await mastra.getStorage()?.getStore('workflows');
  const snapshot = await workflows?.loadWorkflowSnapshot({ workflowName: 'agentic-loop', runId });
  const [list = {}] = Object.values(Object(snapshot).context ?? {}).flatMap(
    (step) => Object(step).suspendPayload?.__streamState?.messageList ?? [],
  );
  return list;
}

/** A list of messages, as Mastra stores it. */
type Suspended = Partial<Pick<ProcessInputStepArgs, 'messages'>> & { readonly memoryInfo?: object };
