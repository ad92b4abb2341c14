// Has Mastra ask a person before a call if the core says so, with Mastra's own approval.

import type { SkillContext, SkillToolkit } from '@skillful/core';
import { rememberRun, type SkillRun } from './run.ts';
import { writeNews } from './stream.ts';
import { viewCalls, withoutSkills } from './view.ts';

/** What Mastra reads of a tool in a step. */
interface StepTool {
  readonly requireApproval?: unknown;
  readonly needsApprovalFn?: (input: unknown, context: unknown) => unknown;
  readonly hasSuspendSchema?: unknown;
  readonly execute?: (input: unknown, call: object) => unknown;
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

/** Returns the tools of a step, which know their run, with the approval that the core wants before their calls. */
export function judgeTools(
  tools: Record<string, unknown>,
  run: SkillRun,
  toolkit: SkillToolkit,
  context: SkillContext,
): Record<string, unknown> {
  const own = new Set(toolkit.tools.map(({ name }) => name));
  const judgeSame = createJudge(run, toolkit, context);
  const judge = (name: string, tool: StepTool): StepTool => {
    const { requireApproval, needsApprovalFn: asksIf = requireApproval, execute } = tool;
    const [isOwn, isAgent] = [own.has(name), name.startsWith('agent-')];
    if (execute === undefined || !(isOwn || isAgent || toolkit.judgesAll)) return tool;
    const approval: StepTool = {
      requireApproval: true,
      async needsApprovalFn(input, given) {
        const effects = await judgeSame(name, input);
        // A call that is in no message is not free.
        if (isOwn) return effects.length === 0 || effects.includes('ask');
        if (effects.length > 0 && effects.every((effect) => effect === 'approve')) return false;
        return typeof asksIf === 'function' ? asksIf(input, given) : true;
      },
    };
    return {
      ...tool,
      // Otherwise Mastra runs it while the model still writes the calls beside it.
      ...(!isOwn && toolkit.judgesAll && { hasSuspendSchema: true }),
      ...((isOwn || (toolkit.judgesAll && Boolean(asksIf))) && approval),
      execute(input, call) {
        const { messages = [] } = Object(call);
        const known = rememberRun(isAgent ? withoutSkills(messages) : messages, run);
        return execute.call(tool, input, { ...call, messages: known });
      },
    };
  };
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, judge(name, Object(tool))]));
}

/** Mastra says what is called, but not by which call: the same call twice is judged as two. */
function createJudge(run: SkillRun, toolkit: SkillToolkit, context: SkillContext) {
  const verdicts = new Map<string, Promise<string>>();
  return (name: string, input: unknown): Promise<readonly string[]> => {
    const siblings = viewCalls(run.messageList).map((call) => ({ ...call, input: inputOf(call.input) }));
    // All at once, because the run may go on in another process after the first question; and each once, because Mastra evaluates a
    // call again when its run goes on: that is no new question.
    for (const { id, ...call } of siblings) {
      if (verdicts.has(id)) continue;
      const onEvent = writeNews(toolkit, run.writer, id);
      const judged = toolkit.judge(call, { ...context, ...run.known, onEvent, call: id, siblings });
      // What cannot be judged is asked about, and then refused.
      const verdict = judged.then(({ effect }) => effect).catch(() => 'ask');
      verdicts.set(id, verdict);
    }
    const wanted = JSON.stringify(inputOf(input));
    const same = siblings.filter((call) => call.name === name && JSON.stringify(call.input) === wanted);
    return Promise.all(same.map(({ id }) => verdicts.get(id) ?? 'ask'));
  };
}

/** What Mastra hands to a tool of the input that a model wrote. */
function inputOf(written: unknown): unknown {
  if (typeof written !== 'object' || written === null) return written;
  const { resumeData: _, ...input } = Object(written);
  return input;
}
