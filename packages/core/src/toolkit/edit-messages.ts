// Puts what was prepared into the messages of a framework, whose form only its adapter knows.

import type { MessageEdit, MessageView } from './conversation.ts';

/** A part of a message, in the form that all frameworks share. */
export type TextPart = { readonly type: 'text'; readonly text: string };

/** What changes in one message. */
export interface MessageChange {
  /** New texts of results, by the ids of their calls. */
  readonly results: ReadonlyMap<string, string>;
  /** What to add to its end. */
  readonly appended: readonly TextPart[];
}

/** How a framework writes its messages. */
export interface MessageWriter<Message, Part> {
  /** Returns a message with a change in it, and puts aside what belongs behind all results of its step. */
  change(message: Message, change: MessageChange, behind: (Part | TextPart)[]): Message;
  createUser(parts: readonly (Part | TextPart)[]): Message;
  /** What else to put behind the system messages at the head. */
  readonly head?: readonly Message[];
}

/** Returns messages with the edits of their views in them. Nothing is put between the results of one step. */
export function editMessages<Message, Part>(
  messages: readonly Message[],
  views: readonly MessageView[],
  edits: readonly MessageEdit[],
  { change, createUser, head = [] }: MessageWriter<Message, Part>,
): Message[] {
  const changes = new Map(views.map(({ key }) => [key, createChange()]));
  const starts: Message[] = [];
  for (const edit of edits) {
    if ('start' in edit) starts.push(createUser([createText(edit.start)]));
    else if ('result' in edit) changes.get(edit.key)?.results.set(edit.result, edit.text);
    else changes.get(edit.key)?.appended.push(createText(edit.append));
  }
  let behind: (Part | TextPart)[] = [];
  const edited = messages.flatMap((message, index) => {
    const changed = change(message, changes.get(views[index]?.key ?? '') ?? createChange(), behind);
    if (behind.length === 0 || views[index + 1]?.role === 'tool') return [changed];
    const files = behind;
    behind = [];
    return [changed, createUser(files)];
  });
  const first = views.findIndex(({ role }) => role !== 'other');
  return edited.toSpliced(first === -1 ? edited.length : first, 0, ...head, ...starts);
}

function createChange() {
  return { results: new Map<string, string>(), appended: [] as TextPart[] };
}

function createText(text: string): TextPart {
  return { type: 'text', text };
}
