// Keeps the results of skill tools out of Mastra's own pruning.

import type { InputProcessor, Processor } from '@mastra/core/processors';
import type { SkillToolkit } from '@skillful/core';

type Hooks = Pick<Processor, 'processInput' | 'processInputStep' | 'processLLMRequest'>;

/**
 * Creates an input processor that filters the calls of all tools except the skill tools:
 * `filterExceptSkills(toolkit, (exclude) => new ToolCallFilter({ exclude }))`.
 */
export function filterExceptSkills(toolkit: SkillToolkit, createFilter: (exclude: string[]) => Hooks): InputProcessor {
  const own = new Set(toolkit.tools.map(({ name }) => name));
  const filterFor = (messages: readonly unknown[]): Hooks =>
    createFilter([...new Set(messages.flatMap(namesIn))].filter((name) => !own.has(name)));
  const { processInput, processInputStep } = createFilter([]);
  return {
    id: 'skillful-filter',
    ...(processInput && { processInput: (args) => filterFor(args.messages).processInput?.(args) ?? args.messages }),
    ...(processInputStep && { processInputStep: (args) => filterFor(args.messages).processInputStep?.(args) }),
    processLLMRequest: (call) => filterFor(call.prompt).processLLMRequest?.(call),
  };
}

/** The names of the tools that a message tells of, in a prompt or in the memory. */
function namesIn(message: unknown): readonly string[] {
  if (typeof message !== 'object' || message === null) return [];
  if ('toolName' in message) return [String(message.toolName)];
  const content = 'content' in message ? message.content : [];
  const parts = 'parts' in message ? message.parts : [];
  const invocation = 'toolInvocation' in message ? message.toolInvocation : [];
  return [content, parts, invocation].flat().flatMap(namesIn);
}
