// Understands a call of a skill's name as if it were a tool: Mastra has refused it, so its place is taken by the activation.

import type { SkillContext, SkillToolkit } from '@skillful/core';
import { type MessageLike, readItems } from './conversation.ts';

interface CallPart {
  readonly type: 'tool-call' | 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output?: { readonly type: string; readonly value?: unknown };
}

/** What a call was meant to be, and what it would have answered. */
interface RecoveredCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly text: string;
}

/**
 * Rewrites calls of tools that do not exist into the activations that the model meant, and their results likewise: each as
 * it would have been answered after the messages before it.
 */
export async function recoverCalls<Message extends MessageLike>(
  messages: readonly Message[],
  tools: ReadonlySet<string>,
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<readonly Message[]> {
  const recovered = new Map<string, RecoveredCall>();
  const rewritten = () => messages.map((message) => rewriteMessage(message, recovered));
  for (const [index, message] of messages.entries()) {
    for (const part of partsOf(message)) {
      if (!isRefused(part) || tools.has(part.toolName)) continue;
      const call = await toolkit.recoverCall({ name: part.toolName, input: {} }, context);
      const tool = toolkit.tools.find(({ name }) => name === call?.name);
      if (call === undefined || tool === undefined) continue;
      const conversation = { items: readItems(rewritten().slice(0, index), toolkit) };
      const { text } = await tool.execute(call.input, { ...context, conversation });
      recovered.set(part.toolCallId, { toolName: call.name, input: call.input, text });
    }
  }
  return recovered.size === 0 ? messages : rewritten();
}

/** Mastra refuses an unknown tool as an error; before 1.67 in words alone. */
function isRefused({ type, toolName, output }: CallPart): boolean {
  if (type !== 'tool-result') return false;
  return output?.type === 'error-text' || String(output?.value).startsWith(`Tool "${toolName}" not found`);
}

function rewriteMessage<Message extends MessageLike>(
  message: Message,
  recovered: ReadonlyMap<string, RecoveredCall>,
): Message {
  if (!Array.isArray(message.content)) return message;
  return { ...message, content: message.content.map((part) => rewrite(part, recovered)) };
}

function rewrite(part: unknown, recovered: ReadonlyMap<string, RecoveredCall>): unknown {
  const call = isCallPart(part) ? recovered.get(part.toolCallId) : undefined;
  if (!isCallPart(part) || call === undefined) return part;
  const { toolName, input, text } = call;
  if (part.type === 'tool-call') return { ...part, toolName, input };
  return { ...part, toolName, output: { type: 'text', value: text } };
}

function partsOf({ content }: MessageLike): readonly CallPart[] {
  return Array.isArray(content) ? content.filter(isCallPart) : [];
}

function isCallPart(part: unknown): part is CallPart {
  if (typeof part !== 'object' || part === null || !('type' in part) || !('toolCallId' in part)) return false;
  return part.type === 'tool-call' || part.type === 'tool-result';
}
