// Translates the toolkit's neutral tools into AI SDK tools.

import type { SkillTool, SkillToolkit, SkillToolPart, SkillToolResult } from '@skillful/core';
import type { Tool, ToolSet } from 'ai';
import * as sdk from 'ai';
import { readItems } from './conversation.ts';
import type { SkillToolsOptions } from './options.ts';

/** Returns the toolkit's tools as an AI SDK tool set; empty without skills. */
export function skillTools(toolkit: SkillToolkit, options: SkillToolsOptions = {}): ToolSet {
  return Object.fromEntries(
    toolkit.tools.map((skillTool) => [skillTool.name, translateTool(skillTool, toolkit, options)]),
  );
}

function translateTool(
  skillTool: SkillTool,
  toolkit: SkillToolkit,
  options: SkillToolsOptions,
): Tool<unknown, SkillToolResult> {
  return {
    description: skillTool.description,
    inputSchema: sdk.jsonSchema<unknown>(skillTool.inputSchema),
    execute: (input, { abortSignal, messages }) =>
      skillTool.execute(input, {
        signal: abortSignal,
        request: options.request,
        conversation: { items: readItems(messages, toolkit, options) },
      }),
    toModelOutput: ({ output: { text, parts, isError } }) => {
      if (isError) return { type: 'error-text', value: text };
      if (parts.length === 0) return { type: 'text', value: text };
      return { type: 'content', value: [{ type: 'text', text }, ...parts.map(translatePart)] };
    },
  };
}

type FilePart = { mediaType: string } & (
  | { type: 'file'; data: { type: 'data'; data: string } }
  | { type: 'file-data'; data: string }
);

/** The AI SDK 6 knows one form of a file; 7 prefers another and warns of the old one in each call. */
function translatePart({ mediaType, data }: SkillToolPart): FilePart {
  let binary = '';
  for (const byte of data) binary += String.fromCharCode(byte);
  const base64 = btoa(binary);
  if ('isStepCount' in sdk) return { type: 'file', mediaType, data: { type: 'data', data: base64 } };
  return { type: 'file-data', mediaType, data: base64 };
}
