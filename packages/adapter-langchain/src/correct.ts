// Turns a call that uses the name of a skill as a tool into the activation that the model meant, and a call of a skill tool that
// cannot be read into one that the tool answers, because LangChain ends a run at such a call without a word.

import { AIMessage, type AIMessageFields } from '@langchain/core/messages';
import type { SkillContext, SkillToolkit, ToolCall } from '@skillful/core';

/**
 * Corrects the calls of an answer, and every copy that a provider's integration keeps and may send back.
 *
 * Also corrects calls whose input could not be read: an activation does not need it, and the tools explain how to call them.
 */
export async function correctCalls(
  answer: AIMessage,
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<AIMessage> {
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [], additional_kwargs, response_metadata } = answer;
  const meant = new Map<unknown, ToolCall>();
  for (const { name = '', args: input } of [...calls, ...invalid]) {
    const call = await toolkit.correctCall({ name, input }, context);
    if (call !== undefined) meant.set(name, call);
  }
  for (const { name = '' } of invalid) {
    if (toolkit.tools.some((tool) => tool.name === name)) meant.set(name, { name, input: {} });
  }
  if (meant.size === 0) return answer;
  const read = invalid.filter(({ name }) => meant.has(name));
  const all = [...calls, ...read.map(({ id, name }) => ({ id, name, type: 'tool_call', args: {} }))];
  const corrected = new AIMessage({
    ...answer.lc_kwargs,
    content: rewrite(answer.content, meant),
    tool_calls: rewrite(all, meant),
    invalid_tool_calls: invalid.filter(({ name }) => !meant.has(name)),
    additional_kwargs: { ...additional_kwargs, tool_calls: rewrite(additional_kwargs.tool_calls, meant) },
    response_metadata: { ...response_metadata, output: rewrite(response_metadata['output'], meant) },
  } as AIMessageFields);
  // Some integrations set the usage only after they have created the message.
  return Object.assign(corrected, { usage_metadata: answer.usage_metadata });
}

/** The keys under which OpenAI and Google store a call inside a part. All others store it as a part. */
const wrappers = ['function', 'functionCall'];
const inputs = ['args', 'arguments', 'input'];

/** Rewrites calls. An input that is a JSON text stays a JSON text. */
function rewrite<Parts>(parts: Parts, meant: ReadonlyMap<unknown, ToolCall>): Parts {
  if (Array.isArray(parts)) return parts.map((part) => rewrite(part, meant)) as Parts;
  const fields: Readonly<Record<string, unknown>> = Object(parts);
  const wrapper = wrappers.find((key) => key in fields);
  if (wrapper !== undefined) return { ...parts, [wrapper]: rewrite(fields[wrapper], meant) };
  const meaning = meant.get(fields['name']);
  const key = inputs.find((input) => input in fields);
  if (meaning === undefined || key === undefined) return parts;
  if (meaning.name === fields['name'] && isReadable(fields[key])) return parts;
  const input = typeof fields[key] === 'string' ? JSON.stringify(meaning.input) : meaning.input;
  return { ...parts, name: meaning.name, [key]: input };
}

function isReadable(input: unknown): boolean {
  try {
    return typeof input !== 'string' || JSON.parse(input) !== undefined;
  } catch {
    return false;
  }
}
