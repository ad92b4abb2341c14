// Has Mastra ask a person before a call if the core says so, with Mastra's own approval.

import type { RequestContext } from '@mastra/core/request-context';
import type { SkillToolkit } from '@skillful/core';
import { contextOf, rememberRun, type SkillRun, type SkillsOptions } from './run.ts';
import { writeNews } from './stream.ts';
import { besides, viewCalls } from './view.ts';

/** What Mastra reads of a tool in a step. */
interface StepTool {
  readonly requireApproval?: unknown;
  readonly needsApprovalFn?: (input: unknown, context: unknown) => unknown;
  readonly hasSuspendSchema?: unknown;
  readonly execute?: (input: unknown, call: object) => unknown;
}

/** What a step judges its calls with. */
interface StepJudge {
  readonly run: SkillRun;
  readonly toolkit: SkillToolkit;
  readonly options: SkillsOptions;
  readonly request: RequestContext | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Toolkits with a processor, which judges each call when the model makes it. */
const attended = new WeakSet<SkillToolkit>();

/** Notes that a processor judges the calls of a toolkit. */
export function attend(toolkit: SkillToolkit): void {
  attended.add(toolkit);
}

/**
 * What the tools themselves say of an approval, when a run goes on without the step that judged its calls. Judging them now would
 * record a question that nobody was shown, and the answer at hand would count for it.
 */
export function needsApproval(toolkit: SkillToolkit): () => Promise<boolean> {
  return async () => attended.has(toolkit);
}

/** Returns the tools of a step, with the approval that the core wants before their calls. */
export function judgeTools(tools: Record<string, unknown>, judge: StepJudge): Record<string, unknown> {
  const { run, toolkit } = judge;
  const own = new Set(toolkit.tools.map(({ name }) => name));
  const isJudged = (name: string) => own.has(name) || toolkit.judgesAll;
  const judgeSame = createJudge(judge, isJudged);
  const entries = Object.entries(tools).map(([name, given]): readonly [string, unknown] => {
    const tool: StepTool = Object(given);
    const { requireApproval, needsApprovalFn: asksIf = requireApproval, execute } = tool;
    if (execute === undefined || !isJudged(name)) return [name, given];
    const approval: StepTool = {
      requireApproval: true,
      async needsApprovalFn(input, context) {
        const effects = await judgeSame(name, input);
        // A call that is in no message is not free.
        if (own.has(name)) return effects.length === 0 || effects.includes('ask');
        if (effects.length > 0 && effects.every((effect) => effect === 'approve')) return false;
        return typeof asksIf === 'function' ? asksIf(input, context) : true;
      },
    };
    const judged: StepTool = {
      ...tool,
      // Otherwise Mastra runs it while the model still writes the calls beside it.
      ...(!own.has(name) && { hasSuspendSchema: true }),
      ...(own.has(name) || asksIf ? approval : {}),
      execute(input, call) {
        const { toolCallId, messages } = Object(call);
        const known = { ...call, messages: rememberRun(messages, run) };
        if (!own.has(name)) return execute.call(tool, input, known);
        const written = viewCalls(run.messageList).find(({ id }) => id === toolCallId)?.input;
        // Some versions before 1.71 take this for the answer of a person. It answers no call that anybody was asked about.
        const isForged = 'resumeData' in Object(written);
        const id = isForged ? crypto.randomUUID() : toolCallId;
        return execute.call(tool, input, { ...known, toolCallId: id });
      },
    };
    return [name, judged];
  });
  return Object.fromEntries(entries);
}

/** Mastra says what is called, but not by which call: the same call twice is judged as two. */
function createJudge({ run, toolkit, options, request, signal }: StepJudge, isJudged: (name: string) => boolean) {
  const verdicts = new Map<string, Promise<string>>();
  return (name: string, input: unknown): Promise<readonly string[]> => {
    const calls = viewCalls(run.messageList).map((call) => ({ ...call, input: inputOf(call.input) }));
    // All at once, because the run may go on in another process after the first question; and each once, because Mastra evaluates a
    // call again when its run goes on: that is no new question.
    for (const { id, ...call } of calls) {
      if (verdicts.has(id) || !isJudged(call.name)) continue;
      const onEvent = writeNews(toolkit, run.writer, id);
      const context = { ...contextOf(run, request, options), signal, onEvent, call: id, siblings: besides(calls, id) };
      const judged = toolkit.judge(call, context).then(({ effect }) => effect);
      // What cannot be judged is asked about, and then refused.
      verdicts.set(
        id,
        judged.catch(() => 'ask'),
      );
    }
    const wanted = JSON.stringify(inputOf(input));
    const same = calls.filter((call) => call.name === name && JSON.stringify(call.input) === wanted);
    return Promise.all(same.map(({ id }) => verdicts.get(id) ?? 'ask'));
  };
}

/** What Mastra hands to a tool of the input that a model wrote. */
function inputOf(written: unknown): unknown {
  if (typeof written !== 'object' || written === null) return written;
  const { resumeData: _, ...input } = Object(written);
  return input;
}
