// Applies the prepared edits to the messages of a framework, in the form that its adapter describes.

import { missingResult } from '../disclosure/answers.ts';
import type { MessageEdit, MessageView } from './conversation.ts';
import { placeFiles } from './file-place.ts';
import type { MessageForm, TextPart } from './message-form.ts';
import { findUnanswered } from './unanswered.ts';

/** What changes in one message. */
interface Change<Message> {
  readonly message: Message;
  role: MessageView['role'];
  /** The results of the toolkit's tools by call. Their files go where the model can read them. */
  readonly own: Map<string, string>;
  /** New texts of results by call. These results lose their files. */
  readonly replaced: Map<string, string>;
  readonly appended: TextPart[];
}

/**
 * Applies the edits of views to messages, and adds results for calls without one. `tools` are the names of the toolkit's tools.
 * Puts no user message between the results of one step or before a summary of the provider, and the `system` text after the system
 * messages at the start.
 */
export function editMessages<Message, File extends { readonly mediaType: string }>(
  messages: readonly Message[],
  views: readonly MessageView[],
  edits: readonly MessageEdit[],
  { model, change, createUser, createResult, addSystem }: Omit<MessageForm<Message, File>, 'view' | 'restore'>,
  { tools, system = '' }: { readonly tools: readonly string[]; readonly system?: string },
): Message[] {
  const { changes, summary } = gatherChanges(messages, views, edits, tools);
  const starts = edits.flatMap((edit) => ('start' in edit ? [createUser([createText(edit.start)])] : []));
  const unanswered = findUnanswered(views, tools);
  /** Parts for a user message, which can only follow the last result of the step. */
  const waiting: (File | TextPart)[] = [];
  const edited = changes.flatMap(({ message, own, replaced, appended }, index) => {
    const changed = change(message, {
      appended,
      rewrite(call, files) {
        const text = replaced.get(call);
        if (text !== undefined) return { text, content: [createText(text)] };
        const said = own.get(call);
        if (files.length === 0 || said === undefined) return undefined;
        const placed = placeFiles(model, said, files);
        if (placed.inMessage.length > 0) waiting.push(createText(placed.text), ...placed.inMessage);
        return { text: placed.text, content: [createText(placed.text), ...placed.inResult] };
      },
    });
    const answers = (unanswered.get(index) ?? []).map((call) => createResult(call, missingResult));
    if (changes[index + 1]?.role === 'tool') return [changed, ...answers];
    const parts = waiting.splice(0);
    const begun = index < summary ? [] : starts.splice(0);
    return [changed, ...answers, ...(parts.length === 0 ? [] : [createUser(parts)]), ...begun];
  });
  const first = changes.findIndex(({ role }) => role !== 'other');
  /** The system messages at the start. */
  const head = edited.slice(0, first === -1 ? edited.length : first);
  const rest = edited.slice(head.length);
  const added = addSystem === undefined || system === '' ? head.slice(-1) : addSystem(system, head.at(-1));
  return [...head.slice(0, -1), ...added, ...starts, ...rest];
}

/** Gathers the changes of each message, and the index of the last summary of the provider; past the end if there is none. */
function gatherChanges<Message>(
  messages: readonly Message[],
  views: readonly MessageView[],
  edits: readonly MessageEdit[],
  tools: readonly string[],
): { readonly changes: readonly Change<Message>[]; readonly summary: number } {
  const changes = messages.map((message): Change<Message> => {
    return { message, role: 'other', own: new Map(), replaced: new Map(), appended: [] };
  });
  const byKey = new Map<string, Change<Message>>();
  let summary = messages.length;
  for (const [place, { key, role, compacts, results = [], index = place }] of views.entries()) {
    if (compacts === true) summary = index;
    const found = changes[index];
    if (found === undefined) continue;
    byKey.set(key, Object.assign(found, { role }));
    for (const { id, tool, text } of results) if (tools.includes(tool)) found.own.set(id, text);
  }
  for (const edit of edits) {
    if ('result' in edit) byKey.get(edit.key)?.replaced.set(edit.result, edit.text);
    else if ('append' in edit) byKey.get(edit.key)?.appended.push(createText(edit.append));
  }
  return { changes, summary };
}

function createText(text: string): TextPart {
  return { type: 'text', text };
}
