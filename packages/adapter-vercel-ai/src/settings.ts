// Defines the types of settings with skills, so that the types of the application's tools, options and context are kept.

import type { FlexibleSchema, ModelMessage, ToolCallRepairFunction, ToolLoopAgentSettings, ToolSet } from 'ai';
import type { SkillTools } from './tools.ts';

/** The tools of an application without tools. */
export type NoTools = Record<never, never>;

type Replaced = 'prepareStep' | 'repairToolCall' | 'experimental_repairToolCall';
/** Settings whose types depend on the tools. Types that depend on an output are left to the framework. */
type Typed = Replaced | 'activeTools' | 'toolApproval' | 'onStepEnd' | 'onStepFinish' | 'onEnd' | 'onFinish';
type AgentSettings<Tools, Call> = ToolLoopAgentSettings<NoInfer<Call>, Extract<NoInfer<Tools>, ToolSet> & SkillTools>;

/** A callback with the application's context. A callback that knows fewer tools is accepted, too. */
type WithContext<Callback, Context> = Callback extends (options: infer Options) => infer Result
  ? { call(options: Omit<Options, 'runtimeContext'> & { runtimeContext: Context }): Outcome<Result> }['call']
  : Callback;

/** The result of a step. Model names become plain strings, because there are too many for the compiler to compare. */
type Outcome<Result> =
  Result extends PromiseLike<infer Value>
    ? PromiseLike<Outcome<Value>>
    : Result extends { model?: unknown }
      ? Omit<Result, 'model'> & { model?: string | object }
      : Result;

/** The settings that `withSkills` takes: all or some settings of an agent or a call. */
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

/** Settings with skills added. */
export type SettingsWithSkills<Settings> = Omit<Settings, Replaced | 'tools'> & {
  tools: ToolsOf<Settings> & SkillTools;
  prepareStep: (step: object) => PromiseLike<{ messages: ModelMessage[] }>;
  experimental_repairToolCall: ToolCallRepairFunction<ToolSet>;
};

/** The settings that skills change, for any tools. */
export interface AnySettings extends Omit<Partial<ToolLoopAgentSettings<never, ToolSet>>, 'prepareCall'> {
  abortSignal?: AbortSignal;
  prepareCall?: (call: object) => AnySettings | PromiseLike<AnySettings>;
}
