// Translates the toolkit's neutral tools into LangChain tools.

import { Command } from '@langchain/langgraph';
import type { SkillTool, SkillToolkit } from '@skillful/core';
import { type DynamicStructuredTool, ToolMessage, type ToolRuntime, tool } from 'langchain';
import { createContext, findRun, type SkillsOptions } from './context.ts';
import { viewMessages } from './messages.ts';
import { readState, type SkillsUpdate, stateField } from './state.ts';

/** Creates the tools for a graph of one's own; none if there are no skills. */
export function skillTools(toolkit: SkillToolkit, options: SkillsOptions = {}): DynamicStructuredTool[] {
  return createTools(toolkit, options, false);
}

/** Returns the names of the toolkit's tools, whose results should not be cleared: `new ClearToolUsesEdit({ excludeTools })`. */
export function toolNames(toolkit: SkillToolkit): string[] {
  return toolkit.tools.map(({ name }) => name);
}

/** Creates the tools; those of an agent know what the model reads, and keep in the agent's state what they activate. */
export function createTools(toolkit: SkillToolkit, options: SkillsOptions, inAgent: boolean): DynamicStructuredTool[] {
  return toolkit.tools.map((skillTool) => {
    const { name, description, inputSchema: schema } = skillTool;
    const call = createCall(skillTool, toolkit, options, inAgent);
    // LangChain answers a breach of the schema that the model sees with a stack trace; the toolkit answers it in words.
    const called = tool(call, { name, description, schema: {} });
    return Object.assign(tool(call, { name, description, schema }), { invoke: called.invoke.bind(called) });
  });
}

function createCall({ name, execute }: SkillTool, toolkit: SkillToolkit, options: SkillsOptions, inAgent: boolean) {
  return async (
    input: unknown,
    runtime: ToolRuntime,
  ): Promise<string | ToolMessage | Command<unknown, SkillsUpdate>> => {
    const { toolCallId: tool_call_id, state, context: request } = runtime;
    const { messages = [] } = Object(state);
    const views = viewMessages(messages);
    const call = { ...createContext(runtime, options), run: findRun(messages, request) };
    const context = inAgent ? { ...call, messages: views, state: readState(state) } : call;
    const { text, isError, details, parts } = await execute(input, context);
    if (tool_call_id === undefined) return text;
    const status = isError ? 'error' : 'success';
    // No integration sends an artifact: `prepareModelCall` puts its files where a provider takes them.
    const artifact = { ...details, ...(parts.length > 0 && { skillful: parts }) };
    const message = new ToolMessage({ id: crypto.randomUUID(), name, content: text, tool_call_id, status, artifact });
    if (!inAgent) return message;
    const after = await toolkit.track([...views, ...viewMessages([message])], context);
    return new Command({ update: { messages: [message], [stateField]: after } });
  };
}
