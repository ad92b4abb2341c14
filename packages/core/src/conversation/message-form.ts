// Defines how an adapter shows the messages of its framework to the core, and applies the core's changes. Types only.

import type { CallView, MessageView } from './conversation.ts';
import type { FilePlace } from './file-place.ts';
import type { StoredResult } from './stored.ts';

/** A part of a message, in the form that all frameworks share. */
export type TextPart = { readonly type: 'text'; readonly text: string };

/** A message without a key. */
export interface UnkeyedMessage extends Omit<MessageView, 'key'> {
  /** Everything that distinguishes it from other messages: its role, its words, and the ids of its calls. */
  readonly said: string;
}

/** The changes to one message. */
export interface MessageChange<File> {
  /** Parts to add at the end. */
  readonly appended: readonly TextPart[];
  /** Returns the new content of a result; undefined if the result does not change. */
  rewrite(call: string, files: readonly File[]): ResultChange<File> | undefined;
}

/** The new content of a result: its text, and as parts the same text followed by the files. */
export interface ResultChange<File> {
  readonly text: string;
  readonly content: readonly (TextPart | File)[];
}

/** The form in which a framework writes its messages: one function for each direction. */
export interface MessageForm<Message, File> {
  /** Views a message. A message with several results may have a view for each. A system message needs none. */
  view(message: Message): readonly UnkeyedMessage[];
  /** Returns a copy of a message with the changes. */
  change(message: Message, change: MessageChange<File>): Message;
  /** Returns a copy of a message with whole results. `resultOf` returns nothing for a call whose result does not change. */
  restore(message: Message, resultOf: (call: string) => StoredResult | undefined): Message;
  /** Creates a user message from texts and from files that the model cannot read in a result. */
  createUser(parts: readonly (TextPart | File)[]): Message;
  /** Creates a result for a call that has none. */
  createResult(call: CallView, text: string): Message;
  /**
   * Adds text to the system messages at the start: returns what replaces the last of them. Absent if the framework keeps the system
   * prompt apart from the messages. Then the adapter adds `system` to it.
   */
  readonly addSystem?: ((text: string, last: Message | undefined) => readonly Message[]) | undefined;
  /**
   * Decides where the model can read files: the name of its package and interface (`openai.chat`, `openai.responses`,
   * `anthropic.messages`) or, with a gateway, of its vendor (`openai/gpt-5`). Pass a function if the framework knows what its models
   * accept, such as `() => 'result'`.
   */
  readonly model: string | ((mediaType: string) => FilePlace);
}
