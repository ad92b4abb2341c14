// Translates the toolkit's neutral tools into LangChain tools.

import core from '@langchain/core/package.json' with { type: 'json' };
import { Command, isGraphBubbleUp } from '@langchain/langgraph';
import langgraph from '@langchain/langgraph/package.json' with { type: 'json' };
import type { SkillToolkit } from '@skillful/core';
import { type DynamicStructuredTool, ToolMessage, type ToolRuntime, tool } from 'langchain';
import langchain from 'langchain/package.json' with { type: 'json' };
import { refuseCall, toolContext } from './approve.ts';
import { optionNames, type SkillsOptions } from './context.ts';
import { viewMessages } from './messages.ts';
import { stateField } from './state.ts';

/**
 * Creates the tools for your own graph. Without skills, there are none.
 *
 * @throws {SkillError} `framework-too-old`
 */
export function skillTools(toolkit: SkillToolkit, options: SkillsOptions = {}): DynamicStructuredTool[] {
  return createTools(toolkit, options, false);
}

/**
 * Creates the tools. In an agent, they know the messages that the model reads, and store in the agent's state what they activate.
 */
export function createTools(toolkit: SkillToolkit, options: SkillsOptions, inAgent: boolean): DynamicStructuredTool[] {
  assertVersions(toolkit);
  toolkit.assertOptions(options, optionNames);
  const { outputs = inAgent ? 'redacted' : 'full' } = options;
  return toolkit.tools.map(({ name, description, inputSchema: schema, execute }) => {
    // Invoked without a schema, because LangChain answers invalid input with a stack trace. The toolkit answers in words.
    const called = tool(call, { name, description, schema: {} });
    return Object.assign(tool(call, { name, description, schema }), { invoke: called.invoke.bind(called) });

    async function call(input: unknown, runtime: ToolRuntime): Promise<string | ToolMessage | Command> {
      try {
        return await answer(input, runtime);
      } catch (error) {
        if (isGraphBubbleUp(error)) throw error;
        // Otherwise, the model would read the error, for example of the catalog function or of `about`.
        const { toolCallId: tool_call_id, signal } = runtime;
        const { text: content } = toolkit.reportFailure(name, error, { signal });
        return tool_call_id === undefined
          ? content
          : new ToolMessage({ id: crypto.randomUUID(), name, content, tool_call_id, status: 'error' });
      }
    }

    async function answer(input: unknown, runtime: ToolRuntime): Promise<string | ToolMessage | Command> {
      const { toolCallId: tool_call_id, state } = runtime;
      const toolCall = { name, args: input, id: tool_call_id };
      const known = toolContext(toolkit, { toolCall, state, runtime }, options);
      const context = inAgent ? known : { ...known, messages: undefined, state: undefined };
      // LangGraph could mix up the answers to several questions from one node. With this field, the node runs only this call.
      const isAlone = 'lg_tool_call' in Object(state) || known.siblings?.length === 1;
      const report = (error: unknown) => toolkit.reportFailure(name, error, context);
      const refusal = refuseCall(toolCall, await toolkit.judge({ name, input }, context), isAlone, report);
      const result = refusal ?? (await execute(input, context));
      // Without the id of the call, the result could not be restored later, so the whole text is returned.
      if (tool_call_id === undefined) return result.text;
      const kept = toolkit.keepResult({ name, input }, result, context, outputs);
      const { text: content, isError, files, details } = kept;
      const status = isError ? 'error' : 'success';
      const artifact = { ...details, ...(files.length > 0 && { files }) };
      const message = new ToolMessage({ id: crypto.randomUUID(), name, content, tool_call_id, status, artifact });
      if (!inAgent) return message;
      const after = await toolkit.track([...(known.messages ?? []), ...viewMessages([message], toolkit)], context);
      return new Command({ update: { messages: [message], [stateField]: after } });
    }
  });
}

/** Checks the version of each LangChain package that this package hooks into. */
function assertVersions(toolkit: SkillToolkit): void {
  toolkit.assertVersion('@skillful/langchain', langchain, '1.3.2');
  toolkit.assertVersion('@skillful/langchain', langgraph, '1.2.8');
  toolkit.assertVersion('@skillful/langchain', core, '1.1.48');
}
