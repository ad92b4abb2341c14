// Asks people with `toolApproval` of the AI SDK 7, which passes the question on.

import type { ToolSet } from 'ai';
import { askTool, type Foresee } from './approval.ts';
import type { CallOptions } from './runs.ts';
import type { AnySettings } from './settings.ts';

type Configuration = NonNullable<AnySettings['toolApproval']>;
type OfOneTool = Exclude<Configuration, (...given: never[]) => unknown>[string];
type Status = Exclude<OfOneTool, (...given: never[]) => unknown>;

/** Creates `toolApproval`, in which the application's own and the `needsApproval` that it replaces still count. */
export function createToolApproval(
  { toolApproval: own, tools: ownTools = {} }: AnySettings,
  tools: ToolSet,
  foresee: Foresee,
): Configuration {
  if (typeof own === 'function') {
    return (given) => {
      const { toolCall, messages } = given;
      const { toolName, input, toolCallId } = toolCall;
      return decide(toolName, input, { toolCallId, messages }, async () => own(given));
    };
  }
  const ofTool = (name: string): OfOneTool => {
    return (input, given) =>
      decide(name, input, given, async () => {
        const ofApplication = own?.[name];
        if (typeof ofApplication === 'function') return ofApplication(input, given);
        if (ofApplication !== undefined) return ofApplication;
        const { toolContext: context, ...call } = given;
        return (await askTool(ownTools[name], input, { ...call, context })) ? 'user-approval' : undefined;
      });
  };
  return Object.fromEntries(Object.keys(tools).map((name) => [name, ofTool(name)]));

  async function decide(
    name: string,
    input: unknown,
    call: CallOptions,
    askApplication: () => Promise<Status>,
  ): Promise<Status> {
    const judgement = await foresee(name, input, call);
    if (judgement.effect === 'deny') return { type: 'denied', reason: judgement.text };
    const status = await askApplication();
    const type = typeof status === 'object' ? status.type : status;
    if (judgement.effect === 'ask' && type !== 'denied')
      return { type: 'user-approval', reason: judgement.question.text };
    return judgement.effect === 'approve' && type === 'user-approval' ? undefined : status;
  }
}
