// Defines the types of settings with skills, so that the types of the application's tools, options and context are kept.

import type {
  FlexibleSchema,
  generateText,
  ModelMessage,
  streamText,
  Tool,
  ToolCallRepairFunction,
  ToolLoopAgentSettings,
  ToolSet,
} from 'ai';
import type { SkillTools } from './tools.ts';

type AgentSettings<Tools, Call> = ToolLoopAgentSettings<NoInfer<Call>, AnyContext<NoInfer<Tools>> & SkillTools>;

/** `tool` may infer a context that the compiler does not resolve, and then no other setting either. */
type AnyContext<Tools> = { [K in keyof Tools]: Tools[K] extends Tool<infer In, infer Out> ? Tool<In, Out> : never };

/**
 * A callback with the application's context, and without the output, whose type is not known here. A callback that knows fewer
 * tools is accepted, too.
 */
type WithContext<Callback, Context> = Callback extends (options: infer Options) => infer Result
  ? { call(options: Given<Options, Context>): Outcome<Result, Context> }['call']
  : Callback;

/** AI SDK 6 has no `runtimeContext`. */
type Given<Options, Context> = Options extends { runtimeContext: unknown }
  ? Omit<Options, 'runtimeContext' | 'output'> & { runtimeContext: Context }
  : Options;

/**
 * The result of a step. Model names become plain strings, because there are too many for the compiler to compare. Without `then`,
 * a promise of any result would be accepted.
 */
type Outcome<Result, Context> =
  Result extends PromiseLike<infer Value>
    ? PromiseLike<Outcome<Value, Context>>
    : Result extends { model?: unknown }
      ? Omit<Result, 'model' | 'runtimeContext'> & { model?: string | object; runtimeContext?: Context; then?: never }
      : Result;

/** Settings whose types are inferred from what the application passes. */
interface Inferred<Tools, CallOptions, Context> {
  tools?: Tools;
  model?: unknown;
  toolsContext?: unknown;
  output?: unknown;
  runtimeContext?: Context;
  callOptionsSchema?: FlexibleSchema<CallOptions>;
  prepareCall?: (call: Parameters<NonNullable<AgentSettings<Tools, CallOptions>['prepareCall']>>[0]) => object;
  // Only the type of the tools themselves shows which of them may call others.
  experimental_toolCallers?: { [Key in keyof Tools]?: readonly (keyof NoInfer<Tools> | 'AI_SDK_DIRECT_TOOL_CALL')[] };
  // AI SDK 6 refuses a condition that knows fewer tools.
  stopWhen?: AgentSettings<Tools, CallOptions>['stopWhen'] | object;
  repairToolCall?: WithContext<ToolCallRepairFunction<ToolSet>, Context> | undefined;
  experimental_repairToolCall?: WithContext<ToolCallRepairFunction<ToolSet>, Context> | undefined;
}

/** The settings that `withSkills` takes: all or some settings of an agent or a call. */
export type SkillsSettings<Tools, CallOptions, Context> = Inferred<Tools, CallOptions, Context> & {
  [Key in Exclude<keyof ToolLoopAgentSettings, keyof Inferred<never, never, never>>]?:
    | WithContext<AgentSettings<Tools, CallOptions>[Key], NoInfer<Context>>
    | undefined;
};

/** The names of all settings of agents and calls. */
type SettingName =
  | keyof Inferred<never, never, never>
  | keyof ToolLoopAgentSettings
  | keyof Parameters<NonNullable<ToolLoopAgentSettings['prepareCall']>>[0]
  | keyof Parameters<typeof generateText>[0]
  | keyof Parameters<typeof streamText>[0];

/**
 * Refuses other names, because a misspelt `toolApproval` would ask nobody. Settings that may have any name are accepted, and so are the
 * methods of a class.
 */
export type OnlySettings<Settings> = string extends keyof Settings
  ? object
  : { [Key in Exclude<keyof Settings, SettingName>]: Extract<Settings[Key], Callback> };

/**
 * Accepts settings whose type the AI SDK declares, such as `ToolLoopAgentSettings`, because their callbacks know no skill tools. Unlike
 * settings that are written in place, they have every key.
 */
export type DeclaredSettings<Settings> = keyof ToolLoopAgentSettings &
  keyof Parameters<typeof generateText>[0] extends keyof Settings
  ? object
  : never;

/**
 * Settings with skills added. Their type leaves out what names the tools of the application, such as callbacks, because an agent
 * that also has skill tools would refuse it.
 */
export type SettingsWithSkills<Settings> = {
  [Key in keyof Settings as Key extends 'tools' | 'timeout' | 'experimental_refineToolInput'
    ? never
    : DataKey<Key, Settings[Key]>]: Settings[Key];
} & {
  tools: ('tools' extends keyof Settings ? Extract<Settings['tools'], ToolSet> : Record<never, never>) & SkillTools;
  prepareStep: (step: object) => PromiseLike<{ messages: ModelMessage[] }>;
  experimental_repairToolCall: ToolCallRepairFunction<ToolSet>;
};

type Callback = (...given: never) => unknown;

/** The key of a setting that is no callback. A schema may be a function, and a model `any`. */
type DataKey<Key, Value> = Key extends 'callOptionsSchema'
  ? Key
  : unknown extends Value
    ? Key
    : [Extract<Value, Callback | readonly Callback[]>] extends [never]
      ? Key
      : never;

/** The settings that skills change, for any tools. */
export interface AnySettings extends Omit<Partial<ToolLoopAgentSettings<never, ToolSet>>, 'prepareCall'> {
  abortSignal?: AbortSignal;
  prepareCall?: (call: object) => AnySettings | PromiseLike<AnySettings>;
}
