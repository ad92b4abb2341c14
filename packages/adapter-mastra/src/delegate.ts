// Keeps what skills add to a model call from the sub-agents that Mastra hands the whole call to.

const added = new WeakSet<object>();

/** Marks a message or a part of one that sub-agents do not inherit. */
export function markAdded<Part extends object>(part: Part): Part {
  added.add(part);
  return part;
}

interface ToolLike {
  execute?(input: unknown, options: object): unknown;
}

/** Returns the tools of a step; those that are sub-agents see the messages of the call without what is marked. */
export function inheritNothing(tools: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(tools).map(([name, given]): readonly [string, unknown] => {
    const { execute }: ToolLike = Object(given);
    if (!name.startsWith('agent-') || execute === undefined) return [name, given];
    const delegate: ToolLike['execute'] = (input, options) =>
      execute.call(given, input, { ...options, messages: withoutAdded(Object(options).messages) });
    return [name, { ...Object(given), execute: delegate }];
  });
  return Object.fromEntries(entries);
}

function withoutAdded(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  return messages
    .filter((message) => !added.has(message))
    .map((message) =>
      Array.isArray(message.content)
        ? { ...message, content: message.content.filter((part: object) => !added.has(part)) }
        : message,
    );
}
