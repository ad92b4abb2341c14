// What an adapter shows the core of a conversation, and the changes that it gets back for one model call. Types only.

import type { SkillActor } from '../policy/policy.ts';

/** A message, as the model is about to read it. */
export interface MessageView {
  /** Identifies the message. Must be the same in every call and every process. */
  readonly key: string;
  /** The role that a provider sees; `tool` for a message with tool results. */
  readonly role: 'user' | 'assistant' | 'tool' | 'other';
  /**
   * The text that a person wrote. Absent if no person wrote it, as in a summary that a framework sends as a user. It counts only in
   * a user message.
   */
  readonly text?: string | undefined;
  /** The calls that the model made in the message. */
  readonly calls?: readonly CallView[] | undefined;
  /** Results of tools in the message. */
  readonly results?: readonly ResultView[] | undefined;
  /**
   * Whether the provider summarised the conversation in this message, so that the model no longer reads the messages before it.
   */
  readonly compacts?: boolean | undefined;
  /** Index of the message in its list. By default, that of the view; a message may have several views, one for each part. */
  readonly index?: number | undefined;
}

/** A call of a tool by name. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
}

/** A tool call in a message. */
export interface CallView extends ToolCall {
  readonly id: string;
}

/** The result of a tool call. */
export interface ResultView {
  /** Id of the call; unique within its message. */
  readonly id: string;
  readonly tool: string;
  readonly text: string;
  /** Whether the call did nothing except explain how to call correctly. */
  readonly isError?: boolean | undefined;
}

/** One change to the messages of a call. Messages are identified by key, never by position. */
export type MessageEdit =
  /** Replaces the text of a tool result. */
  | { readonly key: string; readonly result: string; readonly text: string }
  /** Adds text to the end of a user message. */
  | { readonly key: string; readonly append: string }
  /** Adds a user message before all others, because there is no user message left. */
  | { readonly start: string };

/** What is stored about one skill of a conversation. Contains no words of the conversation. */
export interface SkillRecord {
  readonly by: SkillActor;
  /** When the skill was activated or ended, in milliseconds since 1970. */
  readonly at: number;
  /** First eight digits of the SHA-256 of its `SKILL.md` when its instructions were last disclosed. */
  readonly digest?: string | undefined;
  /** If a person agreed to the activation by the model: the digest of all its files at that time. */
  readonly consent?: string | undefined;
  /** Whether the person agreed permanently. The skill ends if they withdraw that. */
  readonly lasting?: boolean | undefined;
  /** Key of the message that asked for the skill, or that contains its text. */
  readonly key?: string | undefined;
  /** Whether it was activated with arguments. They are read from the message as long as it exists. */
  readonly hasArguments?: boolean | undefined;
  /** If its message is gone: whether its text was moved to the first user message, or else left out. */
  readonly moved?: boolean | undefined;
  readonly ended?: boolean | undefined;
}

/**
 * What is stored with the messages of a conversation: JSON of a few hundred bytes, even if the conversation is long.
 *
 * Store it where clients cannot write. An adapter does that if its framework has such a place.
 */
export interface SkillState {
  /** Key of the last message that was taken into account. */
  readonly seen?: string | undefined;
  /** The conversation that this one was copied from. Consent to a call there also counts for the copy of the call. */
  readonly origin?: string | undefined;
  /** The skills by their name in the wrapper, in the order of activation. */
  readonly skills: Readonly<Record<string, SkillRecord>>;
}

/** A skill that is active in a conversation. */
export interface ActiveSkill {
  /** The name, qualified if the skill is shadowed. */
  readonly name: string;
  readonly by: SkillActor;
  /** When it was activated, in milliseconds since 1970; absent if it is preloaded. */
  readonly at?: number | undefined;
  /** First eight digits of the SHA-256 of its `SKILL.md`; absent if its instructions have not been disclosed yet. */
  readonly digest?: string | undefined;
}

/** The changes that skills make to one model call. */
export interface Preparation {
  /** Catalog and preloaded skills, for the end of the system prompt, after an empty line; empty if there is nothing to say. */
  readonly system: string;
  /** Names of tools to hide from this call: tools of the toolkit, and tools of `offered` that active skills hide. */
  readonly hiddenTools: readonly string[];
  readonly edits: readonly MessageEdit[];
  /** The state to store with the messages, if the framework has a place for it. */
  readonly state: SkillState;
  /** What is active. A skill that has left the catalog is still listed, because it may come back. */
  readonly active: readonly ActiveSkill[];
}
