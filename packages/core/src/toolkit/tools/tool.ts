// A tool that no framework owns: a name, a JSON Schema and a function that answers in words and does not throw.

import type { MentionOptions } from '../../catalog/mention.ts';
import type { MessageView, SkillState } from '../../conversation/conversation.ts';
import type { OnSkillEvent } from '../../conversation/event.ts';
import type { ConversationStore } from '../../conversation/store.ts';
import type { ScriptProgress } from '../../disclosure/progress.ts';
import type { SearchBand } from '../../search/skill-index.ts';
import type { ToolCall } from '../permission/judgement.ts';

/** The JSON Schema of a tool's input; arrays are mutable because frameworks type them so. */
export interface ToolInputSchema {
  type: 'object';
  properties: Record<
    string,
    { type: 'string' | 'integer' | 'array'; items?: { type: 'string' }; description?: string; enum?: string[] }
  >;
  required: string[];
  additionalProperties: false;
}

/** What an adapter knows about the current call. A tool call gets all that its model call had, and its own `call` and `siblings`. */
export interface SkillContext<Request = unknown> {
  readonly signal?: AbortSignal | undefined;
  /** What the framework carries per request (a tenant, a user); passed to a catalog function unchanged. */
  readonly request?: Request | undefined;
  /** Any object that lives as long as the run: the tools of a step then use the catalog of its model call. */
  readonly run?: object | undefined;
  /**
   * The whole conversation. `prepare` needs it only if the framework keeps more of it than the model reads in this call. Give it to
   * `judge` and to the tools always: without it, the model is given again what it has already.
   */
  readonly messages?: readonly MessageView[] | undefined;
  /** The stored state of the conversation, from where no client can write. */
  readonly state?: SkillState | undefined;
  /** Names of all tools that the model can call in this call, the application's too. */
  readonly offered?: readonly string[] | undefined;
  /** Names of the skills that the framework would show by itself: `begin` reports once for each run which of them the catalog lacks. */
  readonly replaced?: readonly string[] | undefined;
  /** Overrides the toolkit's option. Turn it off for a sub-agent, because a model writes its "user" messages. */
  readonly mentions?: boolean | MentionOptions | undefined;
  /**
   * The call was made before, and its answer is computed again because only a client kept it. Nothing is reported, a failure is
   * an answer, and the skills that users may activate can be named without being active.
   */
  readonly replay?: boolean | undefined;
  /** Receives the events of this call, like the toolkit's option: to show them in the answer to a request. */
  readonly onEvent?: OnSkillEvent | undefined;
  /**
   * `prepare` adds functions here that report to the toolkit's `onEvent` which skills began, moved or ended. Call each of them after
   * the model has answered. For a framework that stores nothing of a call that fails, so that the next call begins them again.
   * @default `onEvent` is told at once
   */
  readonly untold?: (() => void)[] | undefined;
  /** Receives what a script of this call writes, while it runs: for people who watch, at most 65,536 characters. */
  readonly onProgress?: ((progress: ScriptProgress) => void) | undefined;
  /** All calls of the same answer of the model: a skill that one of them activates already restricts the others. */
  readonly siblings?: readonly ToolCall[] | undefined;
  /** The id of the tool call, unique in its conversation, if the framework has given it one. */
  readonly call?: string | undefined;
  /**
   * Goes with every event of the call, except values that are not text. An answer to a question counts in the same `thread` only.
   */
  readonly about?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Whether a person can be asked now. Turn it off for a sub-agent, whose questions nobody sees, and for a call that they
   * answered: the toolkit's own tools are not judged then, and refuse in words what nobody agreed to.
   * @default true
   */
  readonly asks?: boolean | undefined;
  /**
   * Where the framework keeps the state: read before each model call of a `run`, and written if a skill changed. Each waits at
   * most 5 seconds. If it fails, the event `state-failed` says so.
   */
  readonly store?: ConversationStore | undefined;
  /** Keeps the state; each model call waits for it, at most 5 seconds. If it fails, the event `state-failed` says so. */
  readonly onState?: ((state: SkillState) => unknown) | undefined;
}

/** Bytes that a model can read as they are: an image, a PDF, a recording. */
export interface SkillToolPart {
  readonly mediaType: string;
  /** In base64, so that a result stays the same as JSON. */
  readonly data: string;
}

/** The result of a tool call. */
export interface SkillToolResult {
  /** The text for the model. */
  readonly text: string;
  /** Files for the model besides the text, if the framework can pass them on. */
  readonly parts: readonly SkillToolPart[];
  /** Whether the call did nothing except explain how to call correctly. */
  readonly isError: boolean;
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
      /** How well each of them answers the query; absent in a listing. */
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
    section?: string;
    line?: number;
    limit?: number;
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
  /**
   * Runs the tool and checks its input, because frameworks do not agree on who does that.
   *
   * Rejects only if the signal is aborted. Of an error that the model cannot correct, it is told no more than that; the event
   * `tool-failed` has the reason.
   */
  execute(input: unknown, context?: SkillContext): Promise<SkillToolResult>;
}
