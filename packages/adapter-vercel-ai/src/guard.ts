// Stops denied calls of the application's tools just before they run, even after a person approved them.

import type { ToolSet } from 'ai';
import { createNeedsApproval } from './approval.ts';
import type { Calls } from './calls.ts';

type AnyTool = ToolSet[string];
type Execute = NonNullable<AnyTool['execute']>;

/** Returns a tool of the application with a guard before each call. */
export function guardTool(name: string, tool: AnyTool, calls: Calls): AnyTool {
  const execute: Execute | undefined = tool.execute?.bind(tool);
  const guarded = {
    needsApproval: createNeedsApproval(name, calls, tool),
    ...(execute && { execute: guardExecute(name, execute, calls) }),
  };
  // Including properties that are not enumerable, such as the one that shows whether a tool calls others.
  const properties = { ...Object.getOwnPropertyDescriptors(tool), ...Object.getOwnPropertyDescriptors(guarded) };
  return Object.create(Object.getPrototypeOf(tool), properties);
}

function guardExecute(name: string, execute: Execute, { judge }: Calls): Execute {
  const check = async (...[input, call]: Parameters<Execute>): Promise<void> => {
    const judgement = await judge(name, input, call, { runs: true });
    // The model reads the thrown value. It is a string, because AI SDK 6 would lose the message of an error.
    if (judgement.effect === 'deny') throw judgement.text;
  };
  // Only an async generator function may be replaced by a function that streams.
  if (Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]') {
    return async function* (...call: Parameters<Execute>) {
      await check(...call);
      yield* execute(...call);
    };
  }
  return async (...call: Parameters<Execute>) => {
    await check(...call);
    const result: unknown = await execute(...call);
    if (!(Symbol.asyncIterator in Object(result))) return result;
    let last: unknown;
    for await (const output of result as AsyncIterable<unknown>) last = output;
    return last;
  };
}
