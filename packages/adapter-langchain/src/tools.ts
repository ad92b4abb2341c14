// Translates the toolkit's neutral tools into LangChain tools.

import type { BaseMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import type { SkillContext, SkillConversation, SkillTool, SkillToolkit, SkillToolResult } from '@skillful/core';
import { type DynamicStructuredTool, ToolMessage, type ToolRuntime, tool } from 'langchain';
import { readItems } from './conversation.ts';
import { readRecord, recordField, recordMessages } from './state.ts';

/** Returns the toolkit's tools as LangChain tools; none without skills. */
export function skillTools(toolkit: SkillToolkit): DynamicStructuredTool[] {
  return createTools(toolkit, false);
}

/** Returns the names of the toolkit's tools, whose results should not be cleared: `new ClearToolUsesEdit({ excludeTools })`. */
export function toolNames(toolkit: SkillToolkit): string[] {
  return toolkit.tools.map(({ name }) => name);
}

/** Gives the tools as `skillsMiddleware` registers them: they record in its state what they activate. */
export function recordingTools(toolkit: SkillToolkit): DynamicStructuredTool[] {
  return createTools(toolkit, true);
}

function createTools(toolkit: SkillToolkit, records: boolean): DynamicStructuredTool[] {
  return toolkit.tools.map((skillTool) => {
    const shown = createLangChainTool(skillTool, skillTool.inputSchema, toolkit, records);
    const called = createLangChainTool(skillTool, anyInput, toolkit, records);
    return Object.assign(shown, { invoke: called.invoke.bind(called) });
  });
}

/** LangChain answers a breach of the schema that the model sees with a stack trace; the toolkit answers it in words. */
const anyInput = { type: 'object', properties: {}, additionalProperties: true };

function createLangChainTool(
  skillTool: SkillTool,
  schema: object,
  toolkit: SkillToolkit,
  records: boolean,
): DynamicStructuredTool {
  const { name, description } = skillTool;
  return tool(
    async (input: unknown, runtime: ToolRuntime) => {
      const { signal, context: request, toolCallId } = runtime;
      const conversation = await readConversation(runtime.state, toolkit, { signal, request });
      const result = await skillTool.execute(input, { signal, request, conversation });
      if (toolCallId === undefined) return result.text;
      const message = createMessage(name, toolCallId, result);
      if (!records) return message;
      const before = messagesOf(runtime.state);
      const record = recordMessages([...before, message], toolkit, before.length);
      return new Command({ update: { messages: [message], [recordField]: record } });
    },
    { name, description, schema },
  );
}

/** What the state of an agent tells of a conversation; a tool that is called outside an agent has none. */
export async function readConversation(
  state: unknown,
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<SkillConversation> {
  const items = readItems(messagesOf(state), toolkit);
  const record = readRecord(state);
  if (record === undefined) return { items };
  return { items, active: await toolkit.readActive({ ...context, conversation: { items: record } }) };
}

function messagesOf(state: unknown): readonly BaseMessage[] {
  if (typeof state !== 'object' || state === null || !('messages' in state)) return [];
  return state.messages as readonly BaseMessage[];
}

function createMessage(name: string, toolCallId: string, result: SkillToolResult): ToolMessage {
  const { text, parts, isError, details } = result;
  const files = parts.map(({ mediaType, data }) => ({
    type: mediaType.startsWith('image/') ? 'image' : mediaType.startsWith('audio/') ? 'audio' : 'file',
    mimeType: mediaType,
    data: Buffer.from(data).toString('base64'),
  }));
  return new ToolMessage({
    content: files.length === 0 ? text : [{ type: 'text', text }, ...files],
    tool_call_id: toolCallId,
    name,
    status: isError ? 'error' : 'success',
    artifact: details,
  });
}
