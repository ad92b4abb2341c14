// The interface between the core and the adapters, the same for every framework. Types only.

import type { ActiveSkill, MessageView, Preparation, SkillState, ToolCall } from '../conversation/conversation.ts';
import type { SkillDecision } from '../conversation/decisions.ts';
import type { ReportedEvent } from '../conversation/event.ts';
import type { MessageForm } from '../conversation/message-form.ts';
import type { viewMessages } from '../conversation/message-keys.ts';
import type { createNewsWriter, SkillNews } from '../conversation/news.ts';
import type { createPromptForm } from '../conversation/prompt-form.ts';
import type { StoredResult } from '../conversation/stored.ts';
import type { ApprovalQuestion } from '../policy/question.ts';
import type { AdapterOptions } from './options.ts';
import type { KeptResult, RedactedResult } from './redact.ts';
import type { SkillContext, SkillTool, SkillToolResult } from './tools/tool.ts';
import type { InstalledFramework } from './version.ts';

/** Messages with the changes that skills make to one model call. */
export interface PreparedMessages<Message> extends Omit<Preparation, 'edits'> {
  readonly messages: Message[];
  /** The context for the tools of the call, with its run and its conversation. */
  readonly context: SkillContext;
}

/** The decision about a tool call before it runs. */
export type Judgement =
  /**
   * No decision: the call runs, unless the application decides otherwise. With `judgesAgain`, also a call that cannot be judged yet.
   */
  | { readonly effect: 'none' }
  /** An active skill approves the call, so it runs without the question that the application would ask. */
  | { readonly effect: 'approve' }
  /** The call must not run. The text is for the model. */
  | { readonly effect: 'deny'; readonly text: string }
  /** A person must agree first. */
  | {
      readonly effect: 'ask';
      readonly question: ApprovalQuestion;
      /** Whether the question is new. If so, an existing answer belongs to another question. */
      readonly isNew: boolean;
      /** The text for the model if no one can be asked. */
      readonly text: string;
      /** The text for the model if a person refuses without giving a reason, and the framework has no text of its own. */
      readonly refusal: string;
    };

/** Everything that an adapter needs from the core. It only translates this into the terms of its framework. */
export interface SkillToolkit<Request = unknown> {
  /** Whether `judge` may also refuse or approve calls of the application's tools. */
  readonly judgesAll: boolean;
  /** All tools to register. Empty if the catalog is known to be empty. */
  readonly tools: readonly SkillTool[];
  /**
   * Computes what skills change in one model call. Call it once for each model call, last, with the messages as the model will
   * read them. It calls the catalog function once, and the tools of the same `run` use that catalog.
   */
  prepare(messages: readonly MessageView[], context?: SkillContext<Request>): Promise<Preparation>;
  /**
   * Calls `prepare` for messages in the form of a framework, and returns them with all changes. Before that, it takes back earlier
   * changes, and restores the results that `keepResult` stored only in part: as they were in the same `run`, otherwise with current
   * content. A result that the model may no longer get stays as it was stored, and so do the earliest results once the restored
   * ones exceed 50 million characters, of which each counts at least 10,000.
   *
   * Files stay in a result if the model can read them there. Other files follow in a user message after all results of the step,
   * because some providers would send the bytes as text.
   */
  prepareMessages<Message extends object, File extends { readonly mediaType: string }>(
    messages: readonly Message[],
    form: MessageForm<Message, File>,
    context?: SkillContext<Request>,
  ): Promise<PreparedMessages<Message>>;
  /**
   * Finds the catalog of the next model call, and returns the tools to hide from that call. For frameworks that choose tools
   * before the messages are final. The next `prepare` of the same `run` uses the same catalog.
   */
  begin(context: SkillContext & { readonly run: object }): Promise<readonly string[]>;
  /**
   * Derives the state to store, without reading a skill. Later tools of the same `run` use it. `prepare` does the same, and
   * returns it as `state`.
   */
  track(messages: readonly MessageView[], context?: SkillContext): Promise<SkillState>;
  /**
   * Judges a tool call before it runs; `context.call` is its id. If the effect is `ask`, ask a person, and run the tool only if
   * they agree. The tool checks that the question was asked here, and that the skill has not changed. A call may be judged again
   * when its run continues. Rejects only if the signal is aborted.
   *
   * Without `judgesAgain`, a call that cannot be judged is denied. Pass it only if you judge the call once more before the tool runs.
   * Then the application's own question is not left out now, although the second judgement may allow the call.
   */
  judge(
    call: ToolCall,
    context?: SkillContext,
    options?: { readonly judgesAgain?: boolean | undefined },
  ): Promise<Judgement>;
  /** Lists the active skills of a conversation, the latest activation last. Rejects if the `store` fails. */
  active(messages: readonly MessageView[], context?: SkillContext): Promise<readonly ActiveSkill[]>;
  /**
   * Activates and ends skills for the application, in a conversation with these messages. Without a `store`, you must store the
   * returned state. The decision counts from the next model call on, and nothing in the conversation can change it.
   *
   * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; `options-invalid` if the decision is not valid, or the `store` lacks the
   * conversation
   */
  decide(decision: SkillDecision, messages: readonly MessageView[], context?: SkillContext): Promise<SkillState>;
  /** Returns messages as the core views them. If they are the end of a `whole` conversation, they get the same keys as there. */
  viewMessages: typeof viewMessages;
  /** Creates the form of messages in the AI SDK, which other frameworks also use for prompts. */
  createPromptForm: typeof createPromptForm;
  /** Returns messages as they were before such a form changed them, for sub-agents, which have their own skills. */
  withoutEdits<Message extends object>(messages: readonly Message[]): readonly Message[];
  /** Merges stored states. For each skill, the latest change counts. Values that are not states are ignored. */
  readonly merge: (...states: readonly unknown[]) => SkillState;
  /** Reads a stored tool result. Any other value becomes a sentence for the model. */
  readResult(tool: string, stored: unknown): StoredResult;
  /** Returns the part of an event that a browser may see: which skills begin, move and end, and which question waits. */
  readonly newsOf: (event: ReportedEvent) => SkillNews | undefined;
  /**
   * Creates an `onEvent` and an `onProgress` that write into a stream of the AI SDK, which other frameworks also use: `data-skill`
   * for the news of skills, and `data-skill-progress` for the output of a script while it runs.
   */
  createNewsWriter: typeof createNewsWriter;
  /** Returns the part of a result that a browser may see: names, digests and sizes. With `'full'`, returns everything. */
  redactResult(result: SkillToolResult, outputs?: 'redacted' | 'full'): RedactedResult;
  /**
   * Returns the part of a result to store where clients can read it. Leaves out instructions and files that repeating the call
   * returns again; if a person was asked, only in the same `thread`. Keeps everything else, such as the output of a script.
   * `prepareMessages` restores the rest for the model. With `'full'`, everything is kept.
   */
  keepResult(
    call: ToolCall,
    result: SkillToolResult,
    context?: SkillContext,
    outputs?: 'redacted' | 'full',
  ): KeptResult;
  /**
   * Repeats an earlier call of a skill tool, because a result from a client is not trusted. For a file, a list or a search, returns
   * a note that `prepareMessages` replaces with the text. Set `refusedWith` if the call was refused.
   */
  replay(call: ToolCall, context: SkillContext): Promise<StoredResult>;
  /** Converts a result to the form of the AI SDK, for a version of the model interface. */
  writeOutput(result: StoredResult, version: string): object;
  /**
   * Reports that an adapter failed in a call of a skill tool. The result tells the model only that. Throws if the signal is
   * aborted.
   */
  reportFailure(tool: string, error: unknown, context?: SkillContext): SkillToolResult;
  /** Corrects a call that uses the name of a skill as a tool; `undefined` if the name is not a skill, or is a tool. */
  correctCall(call: ToolCall, context?: SkillContext): Promise<ToolCall | undefined>;
  /**
   * Checks that the installed version of a framework works with an adapter.
   *
   * @throws {SkillError} `framework-too-old`
   */
  assertVersion(adapter: string, framework: InstalledFramework, oldest: string): void;
  /**
   * Checks the options that an application passes to an adapter, because a misspelt one would be ignored. `others` are the names
   * of options that not all adapters have. A `call` also has keys of its framework, so in it only keys that are spelt nearly like
   * an option are refused.
   *
   * @throws {SkillError} `options-invalid`
   */
  assertOptions(options: AdapterOptions, others?: readonly string[], place?: 'call'): void;
  /**
   * Checks whether people may be asked about calls, and the installed version of a framework lets an adapter ask them. If not,
   * pass `asks: false`, so that calls that need consent are refused.
   *
   * @throws {SkillError} `framework-too-old` if it does not, and it is known from the start that the policy asks
   */
  canAsk(adapter: string, framework: InstalledFramework, oldest: string): boolean;
  /**
   * Checks that none of the application's tools has the name of a skill tool, because frameworks silently drop one of them, and
   * that the agent does not have the skills of a toolkit already, because it would lose one of the two catalogs.
   *
   * @throws {SkillError} `options-invalid`
   */
  assertNamesFree(applicationTools: readonly string[], hasSkills?: boolean): void;
}
