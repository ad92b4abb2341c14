// What an adapter shows the core of a conversation, and what it gets back: the changes for one model call. Types only.

/** One message, as the model is about to read it. */
export interface MessageView {
  /** Identifies the message: the same in every call and every process. */
  readonly key: string;
  /** The role that a provider sees; `tool` for a message with results of tools. */
  readonly role: 'user' | 'assistant' | 'tool' | 'other';
  /** What a person wrote. Absent if no person did, as in a summary that a framework sends as a user. */
  readonly text?: string | undefined;
  /** Results of the toolkit's own tools in the message. */
  readonly results?: readonly ResultView[] | undefined;
  /** Where the message is in its list; by default where the view is. A message may have a view for each of its parts. */
  readonly index?: number | undefined;
}

/** The result of a tool call. */
export interface ResultView {
  /** Id of the call; unique within its message. */
  readonly id: string;
  readonly tool: string;
  readonly text: string;
}

/** One change to the messages of a call. Messages and results are named by key, never by position. */
export type MessageEdit =
  /** Replaces the text of a tool result. */
  | { readonly key: string; readonly result: string; readonly text: string }
  /** Adds a text part to the end of a user message. */
  | { readonly key: string; readonly append: string }
  /** Adds a user message in front of all others, because none is left. */
  | { readonly start: string };

/** Who activated a skill. */
export type SkillActor = 'model' | 'user' | 'code';

/** What is stored about one skill of a conversation: no words of the conversation. */
export interface SkillRecord {
  readonly by: SkillActor;
  /** When it was activated or ended, in milliseconds since 1970. */
  readonly at: number;
  /** First eight digits of the SHA-256 of its `SKILL.md` when its instructions were last disclosed. */
  readonly digest?: string | undefined;
  /** A person agreed that the model activates it: the digest of all its files as they were. */
  readonly consent?: string | undefined;
  /** They agreed for good: the skill ends if they withdraw that. */
  readonly lasting?: boolean | undefined;
  /** Key of the message that asked for it, or that carries its text. */
  readonly key?: string | undefined;
  /** It was activated with arguments; they are read from the message while it exists. */
  readonly hasArguments?: boolean | undefined;
  /** Its place is gone: its text was moved to the first user message. */
  readonly moved?: boolean | undefined;
  readonly ended?: boolean | undefined;
}

/**
 * What is stored with the messages of a conversation: JSON of a few hundred bytes, however long the conversation is.
 *
 * Store it where no client can write. An adapter does that wherever its framework has such a place.
 */
export interface SkillState {
  /** Key of the last message that was taken into account. */
  readonly seen?: string | undefined;
  /** The conversation that this one was copied from: what a person agreed to for a call there counts for the copy of the call. */
  readonly origin?: string | undefined;
  /** By the name in the wrapper of the skill's text, in the order of activation. */
  readonly skills: Readonly<Record<string, SkillRecord>>;
}

/** A skill that is active in a conversation. */
export interface ActiveSkill {
  /** The name, qualified if the skill is shadowed. */
  readonly name: string;
  readonly by: SkillActor;
  /** When it was activated, in milliseconds since 1970; absent if it is preloaded. */
  readonly at?: number | undefined;
  /** First eight digits of the SHA-256 of its `SKILL.md`; absent if its instructions were not disclosed yet. */
  readonly digest?: string | undefined;
}

/** What skills change in one model call. */
export interface Preparation {
  /** Catalog and preloaded skills, for the end of the system prompt; empty if there is nothing to say. */
  readonly system: string;
  /** Names of tools to leave out of this call: the toolkit's own, and those of `offered` that active skills hide. */
  readonly hiddenTools: readonly string[];
  readonly edits: readonly MessageEdit[];
  /** To store with the messages, if the framework has a place for it. */
  readonly state: SkillState;
  readonly active: readonly ActiveSkill[];
}
