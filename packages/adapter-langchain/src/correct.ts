// Turns a call that uses the name of a skill as a tool into the activation that the model meant, and a call of a skill tool that
// cannot be read into one that the tool answers, because LangChain ends a run at such a call without a word.

import { AIMessage, type AIMessageChunk, type AIMessageFields } from '@langchain/core/messages';
import type { SkillContext, SkillToolkit, ToolCall } from '@skillful/core';

/**
 * Corrects the calls of an answer, and every copy that a provider's integration keeps and may send back.
 *
 * Also corrects calls whose input LangChain could not read, or which it has completed because a stream was cut: an activation does
 * not need it, and the tools explain how to call them.
 */
export async function correctCalls(
  answer: AIMessage,
  toolkit: SkillToolkit,
  context: SkillContext,
): Promise<AIMessage> {
  const { tool_calls = [], invalid_tool_calls = [], additional_kwargs, response_metadata } = answer;
  const { tool_call_chunks: chunks = [] } = answer as AIMessageChunk;
  const isOurs = (name: string): boolean => toolkit.tools.some((tool) => tool.name === name);
  const isCut = ({ id, name }: (typeof tool_calls)[number]): boolean =>
    isOurs(name) && chunks.some((chunk) => chunk.id === id && chunk.name === name && !isReadable(chunk.args));
  const calls = tool_calls.filter((call) => !isCut(call));
  const invalid = [...invalid_tool_calls, ...tool_calls.filter(isCut).map((call) => ({ ...call, args: '' }))];
  const meant = new Map<unknown, ToolCall>();
  const mean = (name: string, input: unknown, call: ToolCall): void => {
    // By its name alone, because some copies have no input.
    meant.set(name, call).set(keyOf(name, input), call);
  };
  for (const { name = '', args: input } of [...calls, ...invalid]) {
    const call = await toolkit.correctCall({ name, input }, context);
    if (call !== undefined) mean(name, input, call);
  }
  for (const { name = '', args } of invalid) if (isOurs(name)) mean(name, args, { name, input: objectIn(args) });
  if (meant.size === 0) return answer;
  const read = invalid.filter(({ name }) => meant.has(name));
  const all = [...calls, ...read.map(({ id, name, args }) => ({ id, name, type: 'tool_call', args: objectIn(args) }))];
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
  const key = inputs.find((input) => input in fields);
  if (key === undefined) return parts;
  const meaning = meant.get(keyOf(fields['name'], fields[key])) ?? meant.get(fields['name']);
  if (meaning === undefined) return parts;
  if (meaning.name === fields['name'] && isReadable(fields[key])) return parts;
  const input = typeof fields[key] === 'string' ? JSON.stringify(meaning.input) : meaning.input;
  return { ...parts, name: meaning.name, [key]: input };
}

/** Returns the key of a call, which is the same for an input and for its JSON. */
function keyOf(name: unknown, input: unknown): string {
  return JSON.stringify([name, readInput(input)]);
}

/** Returns an input, also one that is written as JSON in JSON; a text if it is neither. */
function readInput(input: unknown): unknown {
  let value = input;
  while (typeof value === 'string' && isReadable(value)) value = JSON.parse(value);
  return value;
}

/** Returns an input as an object, which is empty if it cannot be read. */
function objectIn(input: unknown): object {
  const read = readInput(input);
  return typeof read === 'object' && read !== null ? read : {};
}

function isReadable(input: unknown): boolean {
  try {
    return typeof input !== 'string' || JSON.parse(input) !== undefined;
  } catch {
    return false;
  }
}
