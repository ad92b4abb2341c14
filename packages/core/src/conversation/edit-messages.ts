// Applies the prepared edits to the messages of a framework, in the form that its adapter writes.

import type { MessageEdit, MessageView } from './conversation.ts';
import { type FilePlace, placeFiles } from './file-place.ts';

/** A part of a message, in the form that all frameworks share. */
export type TextPart = { readonly type: 'text'; readonly text: string };

/** The changes to one message. */
export interface MessageChange<File> {
  /** Parts to add at the end. */
  readonly appended: readonly TextPart[];
  /** Returns the new content of a result; undefined if the result does not change. */
  rewrite(call: string, files: readonly File[]): ResultChange<File> | undefined;
}

/** The new content of a result: its text, and as parts the same text followed by the files. */
interface ResultChange<File> {
  readonly text: string;
  readonly content: readonly (TextPart | File)[];
}

/** How a framework writes its messages. */
export interface MessageWriter<Message, File> {
  /**
   * Decides where the model can read files: the name of its package (`openai.responses`) or, with a gateway, of its vendor
   * (`openai/gpt-5`). Pass a function if the framework knows what its models accept.
   */
  readonly model: string | ((mediaType: string) => FilePlace);
  /** Returns a copy of a message with the changes. */
  change(message: Message, change: MessageChange<File>): Message;
  /** Creates a user message from texts and from files that the model cannot read in a result. */
  createUser(parts: readonly (TextPart | File)[]): Message;
  /** Messages to insert after the system messages at the start. */
  readonly head?: readonly Message[];
}

/** Applies the edits of views to messages. Inserts nothing between the results of one step. */
export function editMessages<Message, File extends { readonly mediaType: string }>(
  messages: readonly Message[],
  views: readonly MessageView[],
  edits: readonly MessageEdit[],
  { model, change, createUser, head = [] }: MessageWriter<Message, File>,
  tools: readonly string[],
): Message[] {
  const changes = messages.map((message) => ({
    message,
    role: 'other',
    own: new Map<string, string>(),
    texts: new Map<string, string>(),
    appended: [] as TextPart[],
  }));
  const byKey = new Map<string, (typeof changes)[number]>();
  for (const [place, { key, role, results = [], index = place }] of views.entries()) {
    const found = changes[index];
    if (found === undefined) continue;
    byKey.set(key, Object.assign(found, { role }));
    for (const { id, tool, text } of results) if (tools.includes(tool)) found.own.set(id, text);
  }
  const starts: Message[] = [];
  for (const edit of edits) {
    if ('start' in edit) starts.push(createUser([createText(edit.start)]));
    else if ('result' in edit) byKey.get(edit.key)?.texts.set(edit.result, edit.text);
    else byKey.get(edit.key)?.appended.push(createText(edit.append));
  }
  /** Parts for a user message, which can only follow the last result of the step. */
  let waiting: (File | TextPart)[] = [];
  const edited = changes.flatMap(({ message, own, texts, appended }, index) => {
    const changed = change(message, {
      appended,
      rewrite(call, files) {
        const text = texts.get(call);
        if (text !== undefined) return { text, content: [createText(text)] };
        const said = own.get(call);
        if (files.length === 0 || said === undefined) return undefined;
        const placed = placeFiles(model, said, files);
        if (placed.inMessage.length > 0) waiting.push(createText(placed.text), ...placed.inMessage);
        return { text: placed.text, content: [createText(placed.text), ...placed.inResult] };
      },
    });
    if (waiting.length === 0 || changes[index + 1]?.role === 'tool') return [changed];
    const parts = waiting;
    waiting = [];
    return [changed, createUser(parts)];
  });
  const first = changes.findIndex(({ role }) => role !== 'other');
  return edited.toSpliced(first === -1 ? edited.length : first, 0, ...head, ...starts);
}

function createText(text: string): TextPart {
  return { type: 'text', text };
}
