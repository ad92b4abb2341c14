// Translates the toolkit's neutral tools into Mastra tools.

import type { ToolsInput } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import type { SkillToolDetails, SkillToolkit, ToolInputSchema } from '@skillful/core';
import { readItems } from './conversation.ts';
import { findThread, readThread, type SkillMemory } from './thread.ts';

/** What Mastra keeps of a call, in memory and in storage, as JSON. */
export interface SkillToolOutput {
  readonly text: string;
  readonly isError: boolean;
  readonly details: SkillToolDetails;
  /** Files for the model, in base64. */
  readonly files: readonly { readonly mediaType: string; readonly data: string }[];
}

/** Returns the toolkit's tools as Mastra tools by name; empty without skills. */
export function skillTools(toolkit: SkillToolkit, { memory }: SkillMemory = {}): ToolsInput {
  const tools: ToolsInput = {};
  for (const skillTool of toolkit.tools) {
    tools[skillTool.name] = createTool({
      id: skillTool.name,
      description: skillTool.description,
      inputSchema: showSchema(skillTool.inputSchema),
      execute: async (input, { abortSignal, requestContext, agent }): Promise<SkillToolOutput> => {
        const context = { signal: abortSignal, request: requestContext };
        const items = readItems(agent?.messages ?? [], toolkit);
        const thread = findThread(requestContext, memory);
        const record =
          thread &&
          (await readThread(thread).catch((error): undefined => {
            toolkit.reportRecordFailure(error);
          }));
        const active = record && (await toolkit.readActive({ ...context, conversation: { items: record } }));
        const conversation = { items, active };
        const { text, isError, details, parts } = await skillTool.execute(input, { ...context, conversation });
        const files = parts.map(({ mediaType, data }) => ({ mediaType, data: Buffer.from(data).toString('base64') }));
        return { text, isError, details, files };
      },
      toModelOutput: (output) => {
        const { text, isError, files } = output as SkillToolOutput;
        if (isError) return { type: 'error-text', value: text };
        if (files.length === 0) return { type: 'text', value: text };
        return {
          type: 'content',
          value: [{ type: 'text', text }, ...files.map((file) => ({ type: 'media', ...file }))],
        };
      },
    });
  }
  return tools;
}

/** A Standard Schema that shows the model what is expected and lets everything pass: the toolkit checks the input. */
function showSchema(inputSchema: ToolInputSchema) {
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
