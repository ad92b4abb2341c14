// Runs the steps of a toolkit in spans, following OpenTelemetry's conventions for generative AI.

import { type EventContext, knownAbout, type SkillEvent } from '../conversation/event.ts';
import { isError } from '../runtime/record.ts';
import { isSkillError } from '../skill/error.ts';
import type { SkillToolkit } from './skill-toolkit.ts';
import type { ToolkitParts } from './toolkit-parts.ts';
import { refuseFailed } from './tools/refusal.ts';
import type { SkillContext, SkillTool } from './tools/tool.ts';
import type { SkillSpan, SkillTracer, SpanAttributes } from './tracer.ts';

type Steps = Pick<SkillToolkit, 'prepare' | 'tools'>;

/** The spans of one toolkit. */
export interface Tracing {
  /** Adds an event to the span of its step. */
  readonly report: (event: SkillEvent, context: SkillContext) => void;
  /** Returns the steps with a span around each prepared model call and each tool call. */
  readonly wrap: (steps: Steps, parts: Pick<ToolkitParts, 'emit'>) => Steps;
}

/** Creates the spans of a toolkit. They contain no instructions, no arguments and no words of the conversation. */
export function createTracing(tracer: SkillTracer): Tracing {
  const reports = new WeakMap<SkillContext, (event: SkillEvent) => void>();

  async function within<Result>(
    operation: SpanAttributes & { 'gen_ai.operation.name': string },
    given: SkillContext,
    run: (context: SkillContext, span: SkillSpan) => Promise<Result>,
  ): Promise<Result> {
    const name = nameSpan(operation);
    const { call } = given;
    const known = describeCall(knownAbout(given));
    const attributes = { ...operation, ...known, ...(call !== undefined && { 'gen_ai.tool.call.id': call }) };
    return tracer.startActiveSpan(name, { attributes }, async (span) => {
      try {
        // A new context object, because the events of this span are found by it.
        return await run({ ...given }, span);
      } catch (error) {
        span.recordException(isError(error) ? error : new Error(String(error)));
        fail(span, isSkillError(error) ? error.code : Object(error).name);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  function tracePrepare({ prepare }: Steps): Steps['prepare'] {
    return (messages, given = {}) =>
      within({ 'gen_ai.operation.name': 'prepare_skills' }, given, async (context, span) => {
        reports.set(context, (event) => span.addEvent(`skillful.${event.type}`, describeEvent(event)));
        const prepared = await prepare(messages, context);
        span.setAttributes({ 'skillful.skills.active': prepared.active.map(({ name }) => name) });
        return prepared;
      });
  }

  function traceTool(tool: SkillTool, emit: ToolkitParts['emit']): SkillTool {
    const operation = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
      'gen_ai.tool.type': 'function',
    };
    return {
      ...tool,
      async execute(input, given = {}) {
        // The call was traced when it was first made.
        if (given.replay === true) return tool.execute(input, given);
        const traced = within(operation, given, async (context, span) => {
          reports.set(context, (event) => {
            const what = describeEvent(event);
            span.setAttributes({ ...what, 'skillful.event': event.type });
            span.updateName(nameSpan({ ...operation, ...what }));
          });
          const result = await tool.execute(input, context);
          if (result.details.kind === 'refusal') fail(span, result.details.code);
          return result;
        });
        return traced.catch((error: unknown) => {
          // The tool itself rejects only if the signal is aborted, so the tracer failed.
          return refuseFailed(tool.name, error, { emit, context: given });
        });
      },
    };
  }

  return {
    report: (event, context) => reports.get(context)?.(event),
    wrap: (steps, { emit }) => ({
      tools: steps.tools.map((tool) => traceTool(tool, emit)),
      prepare: tracePrepare(steps),
    }),
  };
}

function fail(span: SkillSpan, type: unknown): void {
  span.setAttributes({ 'error.type': String(type ?? '_OTHER') });
  span.setStatus({ code: 2 });
}

function nameSpan(attributes: SpanAttributes): string {
  const parts = ['gen_ai.operation.name', 'gen_ai.tool.name', 'gen_ai.skill.name', 'gen_ai.skill.resource.name'];
  return parts.flatMap((part) => attributes[part] ?? []).join(' ');
}

const callAttributes: Readonly<Record<string, string>> = {
  thread: 'gen_ai.conversation.id',
  agent: 'gen_ai.agent.id',
};

function describeCall(about: EventContext = {}): SpanAttributes {
  return Object.fromEntries(
    Object.entries(about).map(([key, value]) => [callAttributes[key] ?? `skillful.${key}`, value]),
  );
}

type KeysOf<Event> = Event extends unknown ? keyof Event : never;

/** The attribute of each field of an event; none for words of the conversation, and for what the span says itself. */
const eventAttributes: Readonly<Record<string, string | undefined>> = {
  skill: 'gen_ai.skill.name',
  tool: 'gen_ai.tool.name',
  path: 'gen_ai.skill.resource.name',
  source: 'skillful.skill.source',
  digest: 'skillful.skill.digest',
  by: 'skillful.skill.actor',
  changed: 'skillful.skill.changed',
  reason: 'skillful.reason',
  tokens: 'skillful.tokens',
  sandbox: 'skillful.script.sandbox',
  exitCode: 'process.exit.code',
  timedOut: 'skillful.script.timed_out',
  tooManyProcesses: 'skillful.script.too_many_processes',
  unfinished: 'skillful.script.unfinished',
  code: undefined,
  query: undefined,
  question: undefined,
} satisfies Record<Exclude<KeysOf<SkillEvent>, 'type' | 'skills'>, string | undefined>;

/**
 * Returns the attributes of an event. Leaves out the text of errors, which may quote anything, and the name of a skill that the model
 * must not know.
 */
function describeEvent(event: SkillEvent): SpanAttributes {
  const isFailure = event.type.endsWith('-failed');
  const isHidden = event.type === 'refused' && event.code === 'skill-unknown';
  const skills = event.type === 'included' ? { skills: Object.keys(event.skills) } : {};
  return Object.fromEntries(
    Object.entries({ ...event, ...skills, ...(isHidden && { skill: undefined }) }).flatMap(([key, value]) => {
      const attribute = key === 'skills' ? `skillful.skills.${event.type}` : eventAttributes[key];
      return attribute === undefined || value === undefined || value === null || (isFailure && key === 'reason')
        ? []
        : [[attribute, value]];
    }),
  );
}
