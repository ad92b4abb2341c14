// Keeps what belongs to skills out of the AI SDK's own pruning.

import type { SkillToolkit } from '@skillful/core';
import * as sdk from 'ai';
import { readDecisions } from './channel.ts';

type PruneOptions = Parameters<typeof sdk.pruneMessages>[0];
type ToolCalls = Extract<PruneOptions['toolCalls'], readonly unknown[]>;

/**
 * Prunes messages as the AI SDK's `pruneMessages` does, except the calls of the skill tools and the application's decisions
 * about skills.
 */
export function pruneExceptSkills(toolkit: SkillToolkit, options: PruneOptions): sdk.ModelMessage[] {
  const { messages, toolCalls = 'none', emptyMessages = 'remove' } = options;
  const own = new Set(toolkit.tools.map(({ name }) => name));
  const given: ToolCalls =
    typeof toolCalls !== 'string' ? toolCalls : toolCalls === 'none' ? [] : [{ type: toolCalls }];
  const spared = given.map(({ type, tools = namesIn(messages) }) => ({
    type,
    tools: tools.filter((name) => !own.has(name)),
  }));
  return sdk
    .pruneMessages({ ...options, toolCalls: spared, emptyMessages: 'keep' })
    .filter(
      ({ content, providerOptions }) =>
        emptyMessages === 'keep' || content.length > 0 || readDecisions(providerOptions).length > 0,
    );
}

/** The names of all tools that messages tell of, those that the application no longer has among them. */
function namesIn(messages: readonly sdk.ModelMessage[]): string[] {
  const names = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.map((part) => ('toolName' in part ? part.toolName : '')),
  );
  return [...new Set(names)];
}
