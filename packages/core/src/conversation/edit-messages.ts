// Applies the prepared edits to the messages of a framework, whose form only its adapter knows.

import type { MessageEdit, MessageView } from './conversation.ts';
import { type FilePlace, placeFiles } from './file-place.ts';

/** A part of a message, in the form that all frameworks share. */
export type TextPart = { readonly type: 'text'; readonly text: string };

/** What changes in one message. */
export interface MessageChange<File> {
  /** What to add to its end. */
  readonly appended: readonly TextPart[];
  /** Returns what the model reads in a result; undefined if the result stays as it is. */
  rewrite(call: string, files: readonly File[]): ResultChange<File> | undefined;
}

/** What a model reads in a result: its text, and the same in parts, followed by the files. */
interface ResultChange<File> {
  readonly text: string;
  readonly content: readonly (TextPart | File)[];
}

/** How a framework writes its messages. */
export interface MessageWriter<Message, File> {
  /**
   * Decides which files the model reads: the name of its package (`openai.responses`) or, through a gateway, of its vendor
   * (`openai/gpt-5`). A framework that knows what its models accept passes a function.
   */
  readonly model: string | ((mediaType: string) => FilePlace);
  /** Returns a message with a change in it. */
  change(message: Message, change: MessageChange<File>): Message;
  /** Creates a user message from texts, and from files that the model does not read in a result. */
  createUser(parts: readonly (TextPart | File)[]): Message;
  /** Messages to insert after the system messages at the start. */
  readonly head?: readonly Message[];
}

/** Returns messages with the edits of their views. Nothing is put between the results of one step. */
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
  /** Parts for a user message, which has to wait for the last result of the step. */
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
