// The types of settings with skills: the application's own tools, options and context stay what they are.

import type { FlexibleSchema, ModelMessage, ToolCallRepairFunction, ToolLoopAgentSettings, ToolSet } from 'ai';
import type { SkillTools } from './tools.ts';

/** Tools of an application that has none. */
export type NoTools = Record<never, never>;

type Replaced = 'prepareStep' | 'repairToolCall' | 'experimental_repairToolCall';
/** Settings whose types follow from the tools; what follows from an output is left to the framework. */
type Typed = Replaced | 'activeTools' | 'toolApproval' | 'onStepEnd' | 'onStepFinish' | 'onEnd' | 'onFinish';
type AgentSettings<Tools, Call> = ToolLoopAgentSettings<NoInfer<Call>, Extract<NoInfer<Tools>, ToolSet> & SkillTools>;

/** A callback with the application's own context; one that knows fewer tools fits as well. */
type WithContext<Callback, Context> = Callback extends (options: infer Options) => infer Result
  ? { call(options: Omit<Options, 'runtimeContext'> & { runtimeContext: Context }): Outcome<Result> }['call']
  : Callback;

/** What a step returns. The names of all models are too many for the compiler to compare. */
type Outcome<Result> =
  Result extends PromiseLike<infer Value>
    ? PromiseLike<Outcome<Value>>
    : Result extends { model?: unknown }
      ? Omit<Result, 'model'> & { model?: string | object }
      : Result;

/** The settings that `withSkills` takes: those of an agent or a call, all or some. */
export type SkillsSettings<Tools, CallOptions, Context> = {
  tools?: Tools;
  runtimeContext?: Context;
  callOptionsSchema?: FlexibleSchema<CallOptions>;
  prepareCall?: (call: Parameters<NonNullable<AgentSettings<Tools, CallOptions>['prepareCall']>>[0]) => object;
} & {
  [Key in Typed & keyof AgentSettings<Tools, CallOptions>]?:
    | WithContext<NonNullable<AgentSettings<Tools, CallOptions>[Key]>, NoInfer<Context>>
    | undefined;
};

type ToolsOf<Settings> = 'tools' extends keyof Settings ? Extract<Settings['tools'], ToolSet> : NoTools;

/** Settings with the skills in them. */
export type SettingsWithSkills<Settings> = Omit<Settings, Replaced | 'tools'> & {
  tools: ToolsOf<Settings> & SkillTools;
  prepareStep: (step: object) => PromiseLike<{ messages: ModelMessage[] }>;
  experimental_repairToolCall: ToolCallRepairFunction<ToolSet>;
};

/** The settings that skills change, whatever the tools are. */
export interface AnySettings extends Omit<Partial<ToolLoopAgentSettings<never, ToolSet>>, 'prepareCall'> {
  abortSignal?: AbortSignal;
  prepareCall?: (call: object) => AnySettings | PromiseLike<AnySettings>;
}
