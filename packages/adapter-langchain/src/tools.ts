// Translates the toolkit's neutral tools into LangChain tools.

import { Command } from '@langchain/langgraph';
import type { SkillToolkit } from '@skillful/core';
import { type DynamicStructuredTool, ToolMessage, type ToolRuntime, tool } from 'langchain';
import { createContext, findRun, type SkillsOptions } from './context.ts';
import { viewMessages } from './messages.ts';
import { readState, stateField } from './state.ts';

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
  return toolkit.tools.map(({ name, description, inputSchema: schema, execute }) => {
    // LangChain answers a breach of the schema that the model sees with a stack trace; the toolkit answers it in words.
    const called = tool(call, { name, description, schema: {} });
    return Object.assign(tool(call, { name, description, schema }), { invoke: called.invoke.bind(called) });

    async function call(input: unknown, runtime: ToolRuntime): Promise<string | ToolMessage | Command> {
      const { toolCallId: tool_call_id, state } = runtime;
      const { messages = [] } = Object(state);
      const views = viewMessages(messages);
      const known = createContext(runtime, options);
      const run = findRun(messages, known);
      const context = { ...known, run, ...(inAgent && { messages: views, state: readState(toolkit, state) }) };
      const { text: content, isError, details, parts: files } = await execute(input, context);
      if (tool_call_id === undefined) return content;
      const status = isError ? 'error' : 'success';
      const artifact = files.length === 0 ? details : { ...details, files };
      const message = new ToolMessage({ id: crypto.randomUUID(), name, content, tool_call_id, status, artifact });
      if (!inAgent) return message;
      const after = await toolkit.track([...views, ...viewMessages([message])], context);
      return new Command({ update: { messages: [message], [stateField]: after } });
    }
  });
}
