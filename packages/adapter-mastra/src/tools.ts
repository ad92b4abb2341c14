// Translates the toolkit's neutral tools into Mastra tools.

import type { ToolsInput } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import type { JsonSchemaObject, SkillToolkit, SkillToolResult } from '@skillful/core';

/** Gives the toolkit's tools as Mastra tools by name; empty where there are no skills. */
export function skillTools(toolkit: SkillToolkit): ToolsInput {
  const tools: ToolsInput = {};
  for (const skillTool of toolkit.tools) {
    tools[skillTool.name] = createTool({
      id: skillTool.name,
      description: skillTool.description,
      inputSchema: showSchema(skillTool.inputSchema),
      execute: async (input, { abortSignal, requestContext }) =>
        skillTool.execute(input, { signal: abortSignal, request: requestContext }),
      toModelOutput: (output) => {
        const { text, isError } = output as SkillToolResult;
        return { type: isError ? 'error-text' : 'text', value: text };
      },
    });
  }
  return tools;
}

/** A Standard Schema that shows the model what is expected and lets everything pass: the toolkit checks the input. */
function showSchema(inputSchema: JsonSchemaObject) {
  const jsonSchema = () => ({ ...inputSchema });
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'skillful',
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: jsonSchema, output: jsonSchema },
    },
  };
}
