// Defines tools independently of a framework: a name, a JSON Schema and a function that answers in words and does not throw.

import type { MentionOptions } from '../../catalog/mention.ts';
import type { MessageView, SkillState, ToolCall } from '../../conversation/conversation.ts';
import type { OnSkillEvent } from '../../conversation/event.ts';
import type { ConversationStore } from '../../conversation/store.ts';
import type { StoredResult } from '../../conversation/stored.ts';
import type { ScriptProgress } from '../../disclosure/progress.ts';
import type { SearchBand } from '../../search/skill-index.ts';

/**
 * The JSON Schema of a tool's input. Arrays are mutable because frameworks type them so, and this is no interface because clients of
 * providers expect a type with any keys.
 */
export type ToolInputSchema = {
  type: 'object';
  properties: Record<
    string,
    { type: 'string' | 'integer' | 'array'; items?: { type: 'string' }; description?: string; enum?: string[] }
  >;
  required: string[];
  additionalProperties: false;
};

/**
 * A Standard Schema that accepts every input, because the tools check their input themselves. It turns an object that is written
 * as text into that object, and anything else into an empty object, because some servers refuse a conversation whose calls
 * contain other input.
 */
export interface StandardInputSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): { readonly value: unknown };
    readonly jsonSchema: Readonly<Record<'input' | 'output', () => Record<string, unknown>>>;
  };
}

/** What an adapter knows about the current call. A tool call gets the same as its model call, and also `call` and `siblings`. */
export interface SkillContext<Request = unknown> {
  readonly signal?: AbortSignal | undefined;
  /** What the framework knows about the request, such as a tenant or a user. Passed unchanged to a catalog function. */
  readonly request?: Request | undefined;
  /** Any object that lives as long as the run. With it, the tools of a step use the catalog of their model call. */
  readonly run?: object | undefined;
  /**
   * The whole conversation. `prepare` needs it only if the framework keeps more messages than the model reads in this call.
   * Always pass it to `judge` and to the tools: without it, the model gets instructions again that it already has.
   */
  readonly messages?: readonly MessageView[] | undefined;
  /** The stored state of the conversation. It must come from a place where clients cannot write. */
  readonly state?: SkillState | undefined;
  /** Names of all tools that the model can use in this call, including the application's tools. */
  readonly offered?: readonly string[] | undefined;
  /**
   * Names of the skills that the framework would show by itself. `begin` reports, once for each run, which of them the catalog
   * lacks.
   */
  readonly replaced?: readonly string[] | undefined;
  /** Overrides the option of the toolkit. Turn it off for a sub-agent, because a model writes its "user" messages. */
  readonly mentions?: boolean | MentionOptions | undefined;
  /**
   * Set if the call was made before, and its answer is computed again because it was not stored whole. Then nothing is reported,
   * a failure becomes an answer, and skills that users may activate can be named without being active.
   */
  readonly replay?: boolean | undefined;
  /** In a replay, the code of the stored answer if it was a refusal. Then the call is refused again, whatever it may do now. */
  readonly refusedWith?: string | undefined;
  /**
   * Receives the events of this call, in addition to the toolkit's `onEvent`, for example to show them in a response. It receives
   * neither `refused` nor `included`, nor why a skill was left out, because clients must not know all skills.
   */
  readonly onEvent?: OnSkillEvent | undefined;
  /**
   * `prepare` adds functions here that report to the toolkit's `onEvent` which skills began, moved or ended. Call each of them
   * after the model has answered. For frameworks that store nothing if a call fails, so that the next call would report the same
   * again.
   * @default `onEvent` is called at once
   */
  readonly untold?: (() => void)[] | undefined;
  /** Receives the output of a script while it runs, for people who watch: at most 65,536 characters. */
  readonly onProgress?: ((progress: ScriptProgress) => void) | undefined;
  /** All calls in the same answer of the model. A skill that one of them activates already restricts the others. */
  readonly siblings?: readonly ToolCall[] | undefined;
  /** The id of the tool call, unique in its conversation, if the framework has one. */
  readonly call?: string | undefined;
  /**
   * Added to every event of the call, with values as text. `thread` is the id of the conversation: an answer to a
   * question counts only there.
   */
  readonly about?: Readonly<Record<string, string | number | bigint | boolean | null | undefined>> | undefined;
  /**
   * Tells apart conversations that go on at the same time in one thread, such as those of sub-agents, whose models may give their
   * calls the same ids. Must be the same when a run continues after a question.
   */
  readonly branch?: string | undefined;
  /**
   * Whether a person can be asked. If false, calls of skill tools are not judged, and a tool refuses a call that needs consent,
   * even if the store has a question about it. Pass false to `judge` alone for a call that was already answered.
   * @default true
   */
  readonly asks?: boolean | undefined;
  /**
   * Where the framework stores the state. It is read before each model call of a `run`, and written if a skill changed. Each
   * access waits at most 5 seconds. A failure is reported as the event `state-failed`.
   */
  readonly store?: ConversationStore | undefined;
  /** Stores the state. Each model call waits for it, at most 5 seconds. A failure is reported as the event `state-failed`. */
  readonly onState?: ((state: SkillState) => unknown) | undefined;
}

/** The result of a tool call. */
export interface SkillToolResult extends StoredResult {
  /** What happened, for the developer; the model never sees it. */
  readonly details: SkillToolDetails;
}

/** What a call did, by the kind of tool. */
export type SkillToolDetails =
  | { readonly kind: 'activation'; readonly skill: string; readonly digest: string; readonly repeated: boolean }
  | { readonly kind: 'deactivation'; readonly skill: string }
  | {
      readonly kind: 'resource';
      readonly skill: string;
      readonly path: string;
      readonly mediaType: string;
      /** A person was asked about this call, and agreed to it once. */
      readonly asked?: boolean;
    }
  | { readonly kind: 'files'; readonly skill: string; readonly listed: number }
  | {
      readonly kind: 'search';
      readonly query: string;
      readonly skills: readonly string[];
      /** How well each skill answers the query; absent in a listing. */
      readonly bands?: readonly SearchBand[];
    }
  | {
      readonly kind: 'script';
      readonly skill: string;
      readonly path: string;
      readonly digest: string;
      readonly exitCode: number | undefined;
    }
  | { readonly kind: 'refusal'; readonly code: string; readonly asked?: boolean };

/** The inputs of the tools, by their default names. */
export interface SkillToolInputs {
  activate_skill: { name: string; arguments?: string };
  read_skill_resource: {
    skill: string;
    path: string;
    /** A heading. */
    section?: string;
    /** The first line, from 1. */
    line?: number;
    /** The number of lines. */
    limit?: number;
    /** Where to continue in a line that is longer than a page, from 0. */
    character?: number;
  };
  list_skill_resources: { skill: string; start?: number };
  find_skills: { query: string; n?: number };
  list_skills: { start?: number };
  deactivate_skill: { name: string };
  run_skill_script: { skill: string; path: string; arguments?: string[]; input?: string };
}

/** A tool without a framework. */
export interface SkillTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  /** The same, for frameworks that take a Standard Schema. */
  readonly standardSchema: StandardInputSchema;
  /**
   * Checks the input and runs the tool. Frameworks do not agree on who checks the input.
   *
   * Rejects only if the signal is aborted. If the model cannot correct an error, it learns only that the tool failed; the event
   * `tool-failed` contains the reason.
   */
  execute(input: unknown, context?: SkillContext): Promise<SkillToolResult>;
}
