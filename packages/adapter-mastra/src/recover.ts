// Understands a call of a skill's name as if it were a tool: Mastra has refused it, so its place is taken by the activation.

import type { SkillContext, SkillToolkit, ToolCall } from '@skillful/core';
import { type MessageLike, readItems } from './conversation.ts';

interface CallPart {
  readonly type: 'tool-call' | 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input?: unknown;
  readonly output?: { readonly type: string; readonly value?: unknown };
}

/** What a call was meant to be, and what it would have answered. */
interface RecoveredCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly text: string;
}

/** A result with the call that it answers. */
interface AnsweredCall {
  readonly call: CallPart | undefined;
  readonly result: CallPart;
}

/**
 * Rewrites calls of tools that do not exist into the activations that the model meant, and their results likewise: each as
 * it would have been answered after the messages before it. A skill tool's call that Mastra answered with what an earlier
 * one of the same id had got is answered, too.
 */
export async function recoverCalls<Message extends MessageLike>(
  messages: readonly Message[],
  tools: ReadonlySet<string>,
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<readonly Message[]> {
  const recovered = new Map<unknown, RecoveredCall>();
  const open: CallPart[] = [];
  const answered: AnsweredCall[] = [];
  const rewritten = () => messages.map((message) => rewriteMessage(message, recovered));
  for (const [index, message] of messages.entries()) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') {
        open.push(part);
        continue;
      }
      const pair = { call: takeCall(open, part), result: part };
      const meant = tools.has(part.toolName)
        ? findMistaken(pair, answered)
        : isRefused(part)
          ? await toolkit.recoverCall({ name: part.toolName, input: {} }, context)
          : undefined;
      answered.push(pair);
      const tool = toolkit.tools.find(({ name }) => name === meant?.name);
      if (meant === undefined || tool === undefined) continue;
      const conversation = { items: readItems(rewritten().slice(0, index), toolkit) };
      const { text } = await tool.execute(meant.input, { ...context, conversation });
      const answer = { toolName: meant.name, input: meant.input, text };
      recovered.set(part, answer).set(pair.call, answer);
    }
  }
  return recovered.size === 0 ? messages : rewritten();
}

/** Takes the nearest call before a result, and not the first of its id: local servers give the same id again and again. */
function takeCall(open: CallPart[], { toolCallId, toolName }: CallPart): CallPart | undefined {
  const index = open.findLastIndex((call) => call.toolCallId === toolCallId && call.toolName === toolName);
  return index === -1 ? undefined : open.splice(index, 1)[0];
}

/** Mastra looks results up by the id alone, and hands the first one over for a later call of the same id. */
function findMistaken({ call, result }: AnsweredCall, answered: readonly AnsweredCall[]): ToolCall | undefined {
  const isTaken = answered.some(
    (earlier) =>
      earlier.result.toolCallId === result.toolCallId &&
      earlier.result.toolName === result.toolName &&
      JSON.stringify(earlier.result.output) === JSON.stringify(result.output) &&
      JSON.stringify(earlier.call?.input) !== JSON.stringify(call?.input),
  );
  return isTaken && call !== undefined ? { name: call.toolName, input: call.input } : undefined;
}

/** Mastra refuses an unknown tool as an error; before 1.67 in words alone. */
function isRefused({ toolName, output }: CallPart): boolean {
  return output?.type === 'error-text' || String(output?.value).startsWith(`Tool "${toolName}" not found`);
}

function rewriteMessage<Message extends MessageLike>(
  message: Message,
  recovered: ReadonlyMap<unknown, RecoveredCall>,
): Message {
  if (!Array.isArray(message.content)) return message;
  return { ...message, content: message.content.map((part) => rewrite(part, recovered)) };
}

function rewrite(part: unknown, recovered: ReadonlyMap<unknown, RecoveredCall>): unknown {
  const call = recovered.get(part);
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
