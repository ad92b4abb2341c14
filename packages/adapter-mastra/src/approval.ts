// Lets Mastra's approval ask a person before a call if the core requires it.

import mastraPackage from '@mastra/core/package.json' with { type: 'json' };
import type { Judgement, SkillContext, SkillToolkit, ToolCall } from '@skillful/core';
import { refuseDenied } from './refuse.ts';
import { contextOf, type RunCall, rememberRun, type SkillRun, type SkillsOptions } from './run.ts';

/** The fields of a tool that Mastra reads in a step. */
interface StepTool {
  readonly requireApproval?: unknown;
  readonly needsApprovalFn?: (input: unknown, context: unknown) => unknown;
  readonly hasSuspendSchema?: unknown;
  readonly execute?: (input: unknown, call: object) => unknown;
}

/** A step, and whether people may be asked about its calls. */
type StepCall = RunCall & { readonly asks: boolean };

/**
 * Toolkits with a processor, which judges each call when the model makes it. If a run continues without that step, their tools
 * only return that they need approval. Judging the call again would record a question that no one saw, for which the given answer
 * would then count.
 */
export const attended: WeakSet<SkillToolkit> = new WeakSet();

/**
 * Tells whether people may be asked about calls of skill tools. In older versions anyone can answer a question: another resource
 * on Mastra's server, or the model itself.
 *
 * @throws {SkillError} `framework-too-old`
 */
export function mayAsk(toolkit: SkillToolkit, { asks }: SkillsOptions): boolean {
  return asks !== false && toolkit.canAsk('@skillful/mastra', mastraPackage, '1.60.0');
}

/** Returns the tools of a step, bound to their run, with the approval that the core requires before each call. */
export function judgeTools(
  tools: Record<string, unknown>,
  run: SkillRun,
  toolkit: SkillToolkit,
  step: StepCall,
): Record<string, unknown> {
  const own = new Set(toolkit.tools.map(({ name }) => name));
  const judgeCalls = createJudge(run, toolkit, step);
  const bindTool = (name: string, tool: StepTool): StepTool => {
    const { requireApproval, needsApprovalFn: ownApproval = requireApproval, execute } = tool;
    if (execute === undefined) return tool;
    const isOwn = own.has(name);
    /** Whether skills may restrict or approve this tool of the application. */
    const isRestrictable = !isOwn && toolkit.judgesAll;
    const mustAsk = async (input: unknown, given: unknown): Promise<unknown> => {
      const effects = await judgeCalls({ name, input: inputOf(input) });
      if (isOwn) return effects.includes('ask');
      // No one is asked about a denied call, because the answer may reach a process that does not know the active skills.
      const isDecided = effects.every((effect) => effect === 'approve' || effect === 'deny');
      if (isDecided) return false;
      return typeof ownApproval === 'function' ? ownApproval(input, given) : true;
    };
    /**
     * Copies of the run, which the core takes for new ones. An answer may take days, so a call then finds the catalog and the
     * active skills again, as it would in another process.
     */
    const runsAfterAnswer = new Map<string, SkillRun>();
    const approval: StepTool = {
      // If this is true, some versions of Mastra run the calls of all tools one after the other.
      requireApproval: !isOwn || step.asks,
      async needsApprovalFn(input, given) {
        const isAsked = await mustAsk(input, given);
        if (isAsked) runsAfterAnswer.set(JSON.stringify(inputOf(input)), { ...run });
        return isAsked;
      },
    };
    return {
      ...tool,
      // Without this, Mastra runs the tool while the model is still writing further calls.
      ...(isRestrictable && { hasSuspendSchema: true }),
      ...((isOwn || Boolean(ownApproval)) && approval),
      async execute(input, call) {
        // Judges all calls of the answer now, because the stream that shows questions about them may be closed later.
        if (!isOwn && step.asks) await judgeCalls({ name, input: inputOf(input) });
        const current = runsAfterAnswer.get(JSON.stringify(inputOf(input))) ?? run;
        // A tool of `createTool` that a processor adds receives the data of its call in `agent`.
        if (isRestrictable)
          await refuseDenied({ name, input }, current, toolkit, { ...call, ...Object(Object(call).agent) });
        const messages = rememberRun(toolkit.withoutEdits<object>(Object(call).messages ?? []), current);
        return execute.call(tool, input, { ...call, messages });
      },
    };
  };
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, bindTool(name, Object(tool))]));
}

type Effect = Judgement['effect'];

/**
 * Creates a function that judges calls. Mastra does not tell which call it asks about, so the decisions about all calls of the
 * tool with the same input count.
 */
function createJudge(run: SkillRun, toolkit: SkillToolkit, step: StepCall) {
  const effects = new Map<string, Promise<Effect>>();
  return async (wanted: ToolCall): Promise<readonly Effect[]> => {
    const key = JSON.stringify(wanted);
    const isWanted = ({ name, input }: ToolCall) => JSON.stringify({ name, input }) === key;
    const open = run.calls().filter(({ isDone }) => !isDone);
    const kept = open.map(({ id, name, input }) => ({ id, name, input: inputOf(input) }));
    // Mastra may start a call before it keeps the answer, and if the model failed after the call, it never does.
    const siblings = kept.some(isWanted) ? kept : [...kept, { ...wanted, id: undefined }];
    const known = { ...contextOf(run, step), asks: step.asks, siblings };
    // All calls are judged at once, because the run may continue in another process after the first question. Each is judged only
    // once, because Mastra evaluates a call again when its run continues, which is not a new question.
    const judged = siblings.map(({ id, ...call }) => {
      const effect = effects.get(id ?? key) ?? findEffect(call, { ...known, call: id }, toolkit);
      effects.set(id ?? key, effect);
      return { ...call, effect };
    });
    return Promise.all(judged.filter(isWanted).map(({ effect }) => effect));
  };
}

/** Judges a call that is judged again before it runs. If the run is aborted, it counts as one to ask about, and the run ends. */
async function findEffect(call: ToolCall, context: SkillContext, toolkit: SkillToolkit): Promise<Effect> {
  try {
    return (await toolkit.judge(call, context, { judgesAgain: true })).effect;
  } catch {
    return 'ask';
  }
}

/** Converts the input that a model wrote to the form that Mastra passes to the tool. */
function inputOf(written: unknown): unknown {
  if (typeof written !== 'object' || written === null) return written;
  const { resumeData: _, ...input } = Object(written);
  return input;
}
