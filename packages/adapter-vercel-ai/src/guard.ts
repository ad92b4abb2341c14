// Stops denied calls of the application's tools just before they run, even after a person approved them.

import type { ToolSet } from 'ai';
import { createNeedsApproval, type Foresee } from './approval.ts';

type AnyTool = ToolSet[string];
type Execute = NonNullable<AnyTool['execute']>;

/** Returns the tools of an application with a guard before each call. */
export function guardTools(tools: ToolSet, foresee: Foresee): ToolSet {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, guardTool(name, tool, foresee)]));
}

function guardTool(name: string, tool: AnyTool, foresee: Foresee): AnyTool {
  const { execute } = tool;
  const needsApproval = createNeedsApproval(name, tool, foresee);
  const guarded = execute && { execute: guardExecute(name, execute.bind(tool), foresee) };
  return { ...tool, needsApproval, ...guarded } as AnyTool;
}

function guardExecute(name: string, execute: Execute, foresee: Foresee): Execute {
  const check = async (...[input, call]: Parameters<Execute>): Promise<void> => {
    const judgement = await foresee(name, input, call);
    // The model reads what is thrown: a string, because the AI SDK 6 would lose the message of an error.
    if (judgement.effect === 'deny') throw judgement.text;
  };
  // Only a tool that is known to stream may answer with a stream.
  if (Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]') {
    return async function* (...call: Parameters<Execute>) {
      await check(...call);
      yield* execute(...call);
    };
  }
  return async (...call: Parameters<Execute>) => {
    await check(...call);
    const result = await execute(...call);
    if (!isStream(result)) return result;
    let last: unknown;
    for await (const output of result) last = output;
    return last;
  };
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
