// Understands a call of a skill's name as if it were a tool: Mastra has refused it, so its place is taken by the activation.

import type { ConversationItem, SkillContext, SkillToolkit, ToolCall } from '@skillful/core';
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
  const open: OpenCalls = new Map();
  const answered: Answers = new Map();
  /** What the messages before tell. */
  const items: ConversationItem[] = [];
  for (const message of messages) {
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') {
        callsLike(open, part).push(part);
        continue;
      }
      // Not the first of its id: local servers give the same id again and again.
      const call = callsLike(open, part).pop();
      const meant = tools.has(part.toolName)
        ? toolkit.tools.some(({ name }) => name === part.toolName)
          ? findMistaken(call, part, answered)
          : undefined
        : isRefused(part)
          ? await toolkit.recoverCall({ name: part.toolName, input: {} }, context)
          : undefined;
      const tool = toolkit.tools.find(({ name }) => name === meant?.name);
      if (meant === undefined || tool === undefined) continue;
      const { text } = await tool.execute(meant.input, { ...context, conversation: { items: [...items] } });
      const answer = { toolName: meant.name, input: meant.input, text };
      recovered.set(part, answer).set(call, answer);
    }
    items.push(...readItems([rewriteMessage(message, recovered)], toolkit));
  }
  return recovered.size === 0 ? messages : messages.map((message) => rewriteMessage(message, recovered));
}

/** Calls without a result, by what they have in common with one. */
type OpenCalls = Map<string, CallPart[]>;

function callsLike(open: OpenCalls, part: CallPart): CallPart[] {
  const key = keyOf(part);
  const calls = open.get(key) ?? [];
  open.set(key, calls);
  return calls;
}

function keyOf({ toolCallId, toolName }: CallPart): string {
  return JSON.stringify([toolCallId, toolName]);
}

/** The inputs of calls, by what they have in common and were answered. */
type Answers = Map<string, Set<string>>;

/** Mastra looks results up by the id alone, and hands the first one over for a later call of the same id. */
function findMistaken(call: CallPart | undefined, result: CallPart, answered: Answers): ToolCall | undefined {
  const key = `${keyOf(result)} ${JSON.stringify(result.output)}`;
  const inputs = answered.get(key) ?? new Set();
  const input = String(JSON.stringify(call?.input));
  const isTaken = inputs.size > (inputs.has(input) ? 1 : 0);
  answered.set(key, inputs.add(input));
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
