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
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [], additional_kwargs, response_metadata } = answer;
  const isOurs = (name: string): boolean => toolkit.tools.some((tool) => tool.name === name);
  const cut = findCut(answer);
  const broken = new Set<object>([...cut, ...invalid]);
  const meant = new Map<unknown, ToolCall>();
  for (const call of [...calls, ...invalid]) {
    const { name = '', args } = call;
    const input = cut.has(call) ? {} : objectIn(args);
    const answered = broken.has(call) && isOurs(name) ? { name, input } : undefined;
    const meaning = (await toolkit.correctCall({ name, input }, context)) ?? answered;
    // Also by its name alone, because a copy may have its input in another form.
    if (meaning !== undefined) meant.set(name, meaning).set(keyOf(name, args), meaning);
  }
  if (meant.size === 0) return answer;
  const whole = calls.map((call) => (cut.has(call) && meant.has(call.name) ? { ...call, args: {} } : call));
  const read = invalid.filter(({ name }) => meant.has(name));
  const all = [...whole, ...read.map(({ id, name, args }) => ({ id, name, type: 'tool_call', args: objectIn(args) }))];
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

/** Finds the calls whose input LangChain has completed, because the stream ended within it. */
function findCut({ tool_calls = [], ...answer }: AIMessage): ReadonlySet<object> {
  const chunks = [...((answer as Partial<AIMessageChunk>).tool_call_chunks ?? [])];
  const isCut = (call: (typeof tool_calls)[number]): boolean => {
    const at = chunks.findIndex(({ id, name }) => id === call.id && name === call.name);
    const [chunk] = at === -1 ? [] : chunks.splice(at, 1);
    return isOpen(chunk?.args ?? '');
  };
  return new Set(tool_calls.filter(isCut));
}

/** Checks whether a JSON text ends within a text, a list or an object. */
function isOpen(json: string): boolean {
  const bare = json.replace(/"(?:[^"\\]|\\.)*("|\\?$)/gs, (_, end) => (end === '"' ? '' : '"'));
  const count = (brackets: RegExp): number => bare.match(brackets)?.length ?? 0;
  return bare.includes('"') || count(/[[{]/g) > count(/[\]}]/g);
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
  return JSON.stringify([name, parseInput(input)]);
}

/** Returns an input, also one that is written as JSON in JSON; a text if it is neither. */
function parseInput(input: unknown): unknown {
  let value = input;
  while (typeof value === 'string' && isReadable(value)) value = JSON.parse(value);
  return value;
}

/** Returns an input as an object, which is empty if it cannot be read. */
function objectIn(input: unknown): object {
  const read = parseInput(input);
  return typeof read === 'object' && read !== null ? read : {};
}

function isReadable(input: unknown): boolean {
  try {
    return typeof input !== 'string' || JSON.parse(input) !== undefined;
  } catch {
    return false;
  }
}
