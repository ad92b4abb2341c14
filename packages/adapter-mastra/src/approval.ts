// Lets Mastra's own approval ask a person before a call, if the core says so.

import type { Judgement, SkillContext, SkillToolkit, ToolCall } from '@skillful/core';
import { callsOf, rememberRun, type SkillRun } from './run.ts';
import { writeTo } from './stream.ts';
import { type ModelCall, withoutSkills } from './view.ts';

/** What Mastra reads of a tool in a step. */
interface StepTool {
  readonly requireApproval?: unknown;
  readonly needsApprovalFn?: (input: unknown, context: unknown) => unknown;
  readonly hasSuspendSchema?: unknown;
  readonly execute?: (input: unknown, call: object) => unknown;
}

/**
 * Toolkits with a processor, which judges each call when the model makes it. If a run continues without that step, their tools only
 * say that they need approval: judging the call again would record a question that nobody saw, and count the given answer for it.
 */
export const attended: WeakSet<SkillToolkit> = new WeakSet();

/** Returns the tools of a step, bound to their run, with the approval that the core wants before each call. */
export function judgeTools(
  tools: Record<string, unknown>,
  run: SkillRun,
  toolkit: SkillToolkit,
  context: SkillContext,
): Record<string, unknown> {
  const own = new Set(toolkit.tools.map(({ name }) => name));
  const judgeCalls = createJudge(run, toolkit, context);
  const judge = (name: string, tool: StepTool): StepTool => {
    const { requireApproval, needsApprovalFn: asksIf = requireApproval, execute } = tool;
    const isOwn = own.has(name);
    if (execute === undefined) return tool;
    const approval: StepTool = {
      requireApproval: true,
      async needsApprovalFn(input, given) {
        const wanted = JSON.stringify(inputOf(input));
        const isSame = (call: ToolCall) => call.name === name && JSON.stringify(call.input) === wanted;
        const effects = (await judgeCalls(isSame)).map(({ effect }) => effect);
        // A call that no message contains needs an approval.
        if (isOwn) return context.asks !== false && (effects.length === 0 || effects.includes('ask'));
        // Nobody is asked about what is denied: the answer may reach a process that does not know what is active.
        const isDecided = effects.length > 0 && effects.every((effect) => effect === 'approve' || effect === 'deny');
        if (isDecided) return false;
        return typeof asksIf === 'function' ? asksIf(input, given) : true;
      },
    };
    return {
      ...tool,
      // Otherwise Mastra runs it while the model is still writing further calls.
      ...(!isOwn && toolkit.judgesAll && { hasSuspendSchema: true }),
      ...((isOwn || (toolkit.judgesAll && Boolean(asksIf))) && approval),
      async execute(input, call) {
        const isForeign = !isOwn && toolkit.judgesAll;
        // A tool that a processor adds as `createTool` made it is told of its call there.
        const { toolCallId } = { ...call, ...Object(Object(call).agent) };
        const judged = isForeign ? await judgeCalls(({ id }) => id === toolCallId) : [];
        for (const judgement of judged) if (judgement.effect === 'deny') throw new Error(judgement.text);
        const messages = rememberRun(withoutSkills(Object(call).messages ?? []), run);
        return execute.call(tool, input, { ...call, messages });
      },
    };
  };
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, judge(name, Object(tool))]));
}

type Verdict = Judgement | typeof unjudged;

/** A call that cannot be judged is asked about, and then refused. */
const unjudged = { effect: 'ask' } as const;

/** Mastra does not say which call it asks about, so the verdicts on all calls of that tool with that input count. */
function createJudge(run: SkillRun, toolkit: SkillToolkit, context: SkillContext) {
  const verdicts = new Map<string, Promise<Verdict>>();
  return async (isWanted: (call: ModelCall) => boolean): Promise<readonly Verdict[]> => {
    const siblings = callsOf(run).map((call) => ({ ...call, input: inputOf(call.input) }));
    // All at once, because the run may continue in another process after the first question; and each only once, because Mastra
    // evaluates a call again when its run continues: that is not a new question.
    for (const { id, ...call } of siblings) {
      if (verdicts.has(id)) continue;
      const shown = writeTo(run.writer, toolkit, id);
      const judged = toolkit.judge(call, { ...context, ...run.known, ...shown, call: id, siblings });
      const verdict = judged.catch(() => unjudged);
      verdicts.set(id, verdict);
    }
    return Promise.all(siblings.filter(isWanted).map(({ id }) => verdicts.get(id) ?? unjudged));
  };
}

/** Returns the input that a model wrote as Mastra passes it to the tool. */
function inputOf(written: unknown): unknown {
  if (typeof written !== 'object' || written === null) return written;
  const { resumeData: _, ...input } = Object(written);
  return input;
}
