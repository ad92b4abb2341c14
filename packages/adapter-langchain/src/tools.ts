// Translates the toolkit's neutral tools into LangChain tools.

import type { SkillTool, SkillToolkit } from '@skillful/core';
import { type DynamicStructuredTool, ToolMessage, type ToolRuntime, tool } from 'langchain';

/** Gives the toolkit's tools as LangChain tools; none where there are no skills. */
export function skillTools(toolkit: SkillToolkit): DynamicStructuredTool[] {
  return toolkit.tools.map((skillTool) => {
    const shown = createLangChainTool(skillTool, skillTool.inputSchema);
    const called = createLangChainTool(skillTool, anyInput);
    return Object.assign(shown, { invoke: called.invoke.bind(called) });
  });
}

/** LangChain answers a breach of the schema that the model sees with a stack trace; the toolkit answers it in words. */
const anyInput = { type: 'object', properties: {}, additionalProperties: true };

function createLangChainTool(skillTool: SkillTool, schema: object): DynamicStructuredTool {
  const { name, description } = skillTool;
  return tool(
    async (input: unknown, runtime: ToolRuntime) => {
      const result = await skillTool.execute(input, { signal: runtime.signal, request: runtime.context });
      if (runtime.toolCallId === undefined) return result.text;
      return new ToolMessage({
        content: result.text,
        tool_call_id: runtime.toolCallId,
        name,
        status: result.isError ? 'error' : 'success',
        artifact: result.details,
      });
    },
    { name, description, schema },
  );
}
