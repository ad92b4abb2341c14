// What an adapter sees of the core, the same for every framework. Types only.

import type { ActiveSkill, MessageEdit, MessageView, Preparation, SkillState } from '../conversation/conversation.ts';
import type { SkillDecision } from '../conversation/decisions.ts';
import type { MessageWriter } from '../conversation/edit-messages.ts';
import type { SkillEvent, SkillNews } from '../conversation/event.ts';
import type { UnkeyedMessage } from '../conversation/message-keys.ts';
import type { LeftResult, NamedResult } from '../conversation/prompt-results.ts';
import type { PromptFile, PromptMessage } from '../conversation/prompt-writer.ts';
import type { StoredResult } from '../conversation/stored.ts';
import type { Judgement, ToolCall } from './permission/judgement.ts';
import type { KeptResult, RedactedResult } from './redact.ts';
import type { SkillContext, SkillTool, SkillToolResult } from './tools/tool.ts';
import type { InstalledFramework } from './version.ts';

/** What an adapter translates into its framework, and never adds to. */
export interface SkillToolkit<Request = unknown> {
  /** Whether `judge` may refuse or approve calls of the application's own tools, too. */
  readonly judgesAll: boolean;
  /** All tools to register. Empty if the catalog is known to be empty. */
  readonly tools: readonly SkillTool[];
  /**
   * Works out what skills change in one model call. Call it last, with the messages as the model will read them, once for
   * each call: the catalog function runs once, and the tools of the same `run` use the same catalog.
   */
  prepare(messages: readonly MessageView[], context?: SkillContext<Request>): Promise<Preparation>;
  /**
   * Finds the catalog of the next model call, and returns the tools to leave out of it: for frameworks that choose tools
   * before the messages are final. The next `prepare` of the same `run` uses that catalog.
   */
  begin(context: SkillContext & { readonly run: object }): Promise<readonly string[]>;
  /**
   * Derives the state to store, without reading a skill; the next tools of the same `run` know it. `prepare` does the same and
   * returns it as `state`.
   */
  track(messages: readonly MessageView[], context?: SkillContext): Promise<SkillState>;
  /**
   * Judges a tool call before it runs; `context.call` is its id. If the effect is `ask`, ask a person, and run the tool only if
   * they agree: the tool checks that the question was asked here, and that the skill is still the same.
   */
  judge(call: ToolCall, context?: SkillContext): Promise<Judgement>;
  /** Lists what is active in a conversation, the latest activation last. Rejects if the `store` fails. */
  active(messages: readonly MessageView[], context?: SkillContext): Promise<readonly ActiveSkill[]>;
  /**
   * Activates and ends skills for the application, in a conversation with these messages. Without a `store`, store the state
   * that it returns: it counts from the next model call on, and nothing in the conversation can change it.
   *
   * @throws {SkillError} `skill-unknown`, `skill-ambiguous`; `options-invalid` if there is no such `store`
   */
  decide(decision: SkillDecision, messages: readonly MessageView[], context?: SkillContext): Promise<SkillState>;
  /** Gives keys to messages that have no ids. If they are the end of a `whole` conversation, they get the keys of it. */
  keyMessages(messages: readonly UnkeyedMessage[], whole?: readonly MessageView[]): readonly MessageView[];
  /**
   * Returns messages with the edits of their views, each written by the adapter. A system message needs no view. Files stay in a
   * result if the model reads them there. Others follow in a user message after all results of the step, because some providers
   * would send the bytes as text.
   */
  editMessages<Message, File extends { readonly mediaType: string }>(
    messages: readonly Message[],
    views: readonly MessageView[],
    edits: readonly MessageEdit[],
    writer: MessageWriter<Message, File>,
  ): Message[];
  /** Creates the writer of messages in the form of the AI SDK, which prompts of other frameworks have as well. */
  createPromptWriter<Message extends PromptMessage>(model: string, system: string): MessageWriter<Message, PromptFile>;
  /** Returns messages as they were before such a writer changed them: for sub-agents, which have skills of their own. */
  withoutEdits<Message extends object>(messages: readonly Message[]): readonly Message[];
  /** Merges stored states: of each skill, what happened last. A value that is not a state is ignored. */
  merge(...states: readonly unknown[]): SkillState;
  /** Reads a stored tool result, whose parts are its `files`; a value that is not one becomes a sentence for the model. */
  readResult(tool: string, stored: unknown): StoredResult;
  /** Returns what a browser may be told about an event: what begins, moves and ends. */
  newsOf(event: SkillEvent): SkillNews | undefined;
  /** Returns what a browser may see of a result: names, digests and sizes. */
  redactResult(result: SkillToolResult): RedactedResult;
  /**
   * Returns what to keep of a result where clients read it: not the instructions and files, because the same call gives them
   * again, in the same `thread` also those that a person was asked about. What it cannot give again is kept, such as what a
   * script wrote. `restoreResult` puts them back for the model. With `'full'`, everything is kept.
   */
  keepResult(
    call: ToolCall,
    result: SkillToolResult,
    context?: SkillContext,
    outputs?: 'redacted' | 'full',
  ): KeptResult;
  /**
   * Returns a kept result as it was given in the same `run`, otherwise as it is now. Returns `undefined` if it was kept whole, or
   * if the model may no longer be given it: then what is kept stays.
   */
  restoreResult(result: LeftResult, context?: SkillContext): Promise<StoredResult | undefined>;
  /** Returns messages in the form of the AI SDK with whole results; `version` is that of the model's interface. */
  restoreMessages<Message extends PromptMessage>(
    messages: readonly Message[],
    version: string,
    context?: SkillContext,
  ): Promise<Message[]>;
  /** Returns a result in the form of the AI SDK, in a version of the interface of models. */
  writeOutput(result: NamedResult, version: string): object;
  /** Corrects a call that uses a skill's name as a tool; `undefined` if it is not one, or there is such a tool. */
  correctCall(call: ToolCall, context?: SkillContext): Promise<ToolCall | undefined>;
  /**
   * Checks that the installed version of a framework works with an adapter.
   *
   * @throws {SkillError} `framework-too-old`
   */
  assertVersion(adapter: string, framework: InstalledFramework, oldest: string): void;
  /**
   * Returns whether the installed version of a framework is one that lets an adapter ask people. If not, pass `asks: false`: what
   * a function, or a skill that is found later, wants to ask about is then refused in words.
   *
   * @throws {SkillError} `framework-too-old` if it is not, and the policy is known to ask
   */
  canAsk(adapter: string, framework: InstalledFramework, oldest: string): boolean;
  /**
   * Checks that the application's own tools do not have the names of these tools, because frameworks silently drop one.
   *
   * @throws {SkillError} `options-invalid`
   */
  assertNamesFree(applicationTools: readonly string[]): void;
}
