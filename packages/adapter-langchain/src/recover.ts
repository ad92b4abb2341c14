// Turns calls of a skill's name, as if it were a tool, into the activations that the model meant.

import type { SkillContext, SkillToolkit, ToolCall } from '@skillful/core';
import { AIMessage } from 'langchain';

/** What the names of tools that do not exist were meant to be. */
type Meanings = ReadonlyMap<string, ToolCall>;

/**
 * Rewrites the calls of an answer, and every copy of them that a provider's integration keeps and may send back.
 *
 * A call whose input could not be read is recovered, too: an activation needs none of it.
 */
export async function recoverCalls(
  answer: AIMessage,
  known: ReadonlySet<string>,
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<AIMessage> {
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [] } = answer;
  const meant = new Map<string, ToolCall>();
  for (const { name = '', args } of [...calls, ...invalid]) {
    const call = known.has(name) ? undefined : await toolkit.recoverCall({ name, input: args }, context);
    if (call !== undefined) meant.set(name, call);
  }
  if (meant.size === 0) return answer;
  const recovered = [...calls, ...invalid.filter(({ name = '' }) => meant.has(name))].map(({ name = '', args, id }) => {
    const call = meant.get(name) ?? { name, input: args };
    const given = isRecord(call.input) ? call.input : {};
    return { type: 'tool_call' as const, name: call.name, args: given, id: id ?? '' };
  });
  const { content, id, name, usage_metadata } = answer;
  return new AIMessage({
    content: rewrite(content, meant) as typeof content,
    tool_calls: recovered,
    invalid_tool_calls: invalid.filter(({ name = '' }) => !meant.has(name)),
    response_metadata: rewriteField(answer.response_metadata, 'output', meant),
    additional_kwargs: rewriteField(answer.additional_kwargs, 'tool_calls', meant),
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
  });
}

function rewriteField<Fields extends object>(fields: Fields, key: string, meant: Meanings): Fields {
  if (!isRecord(fields) || !Object.hasOwn(fields, key)) return fields;
  return { ...fields, [key]: rewrite(fields[key], meant) };
}

function rewrite(parts: unknown, meant: Meanings): unknown {
  return Array.isArray(parts) ? parts.map((part) => rewritePart(part, meant)) : parts;
}

/** The forms in which integrations keep calls: Anthropic's, LangChain's own, OpenAI's two and Google's. */
function rewritePart(part: unknown, meant: Meanings): unknown {
  if (!isRecord(part)) return part;
  const { type, name, function: named, functionCall } = part;
  if (isRecord(named)) return { ...part, function: rewriteCall(named, 'arguments', meant) };
  if (isRecord(functionCall)) return { ...part, functionCall: rewriteCall(functionCall, 'args', meant) };
  if (typeof name !== 'string') return part;
  if (type === 'tool_use') return rewriteCall(part, 'input', meant);
  if (type === 'tool_call' || type === 'tool_call_chunk') return rewriteCall(part, 'args', meant);
  return type === 'function_call' ? rewriteCall(part, 'arguments', meant) : part;
}

/** Where the input stood as JSON, it stands as JSON again. */
function rewriteCall(call: Readonly<Record<string, unknown>>, inputKey: string, meant: Meanings): unknown {
  const { [inputKey]: input, name } = call;
  const meaning = meant.get(String(name));
  if (meaning === undefined) return call;
  const written = typeof input === 'string' ? JSON.stringify(meaning.input) : meaning.input;
  return { ...call, name: meaning.name, [inputKey]: written };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
