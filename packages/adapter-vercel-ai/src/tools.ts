// Translates the toolkit's neutral tools into AI SDK tools.

import type { SkillTool, SkillToolkit, SkillToolResult } from '@skillful/core';
import { jsonSchema, type Tool, type ToolSet } from 'ai';

export interface SkillToolsOptions {
  /** Handed to the toolkit's catalog function: what tells this request from others, such as a tenant. */
  readonly request?: unknown;
}

/** Gives the toolkit's tools as an AI SDK tool set; empty where there are no skills. */
export function skillTools(toolkit: SkillToolkit, options: SkillToolsOptions = {}): ToolSet {
  return Object.fromEntries(
    toolkit.tools.map((skillTool) => [skillTool.name, translateTool(skillTool, options.request)]),
  );
}

function translateTool(skillTool: SkillTool, request: unknown): Tool<unknown, SkillToolResult> {
  return {
    description: skillTool.description,
    inputSchema: jsonSchema<unknown>(skillTool.inputSchema),
    execute: (input, { abortSignal }) => skillTool.execute(input, { signal: abortSignal, request }),
    toModelOutput: ({ output }) => ({ type: output.isError ? 'error-text' : 'text', value: output.text }),
  };
}
