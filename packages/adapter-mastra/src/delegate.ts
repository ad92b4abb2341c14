// Keeps what skills add to a model call from the sub-agents that Mastra hands the whole call to.

import type { DelegationConfig } from '@mastra/core/agent';

const added = new WeakSet<object>();

/** Marks a message or a part of one that sub-agents do not inherit. */
export function markAdded<Part extends object>(part: Part): Part {
  added.add(part);
  return part;
}

interface Delegating {
  readonly delegation?: Pick<DelegationConfig, 'messageFilter'> | undefined;
}

/** Returns an agent's default options with a filter in front of its own for what sub-agents inherit. */
export function inheritNothing<Options extends object>(options: Options & Delegating): Options {
  const { delegation } = options;
  const messageFilter: DelegationConfig['messageFilter'] = ({ messages, ...context }) => {
    const own = messages.filter((message) => !added.has(message)).map(withoutAdded);
    return delegation?.messageFilter?.({ ...context, messages: own }) ?? own;
  };
  return { ...options, delegation: { ...delegation, messageFilter } };
}

/** What Mastra hands over are messages of a prompt, whatever their type says. */
function withoutAdded<Message extends { readonly content: unknown }>(message: Message): Message {
  const { content } = message;
  return Array.isArray(content) ? { ...message, content: content.filter((part) => !added.has(part)) } : message;
}
