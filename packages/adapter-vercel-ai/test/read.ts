// What a mock model was given, as lines of text: one for each message, so that two calls can be compared.

import type { ModelMessage } from 'ai';
import * as sdk from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';

/** The AI SDK 6 has no `toolApproval`, passes no reason of a question on, and tells integrations nothing. */
export const isSix = !('isStepCount' in sdk);

/** Returns the calls of a model, each as JSON of its messages without the options of providers. */
export function readCalls({ doGenerateCalls, doStreamCalls }: MockLanguageModelV4): readonly (readonly string[])[] {
  return [...doGenerateCalls, ...doStreamCalls].map(({ prompt }) =>
    prompt.map(({ role, content }) => JSON.stringify({ role, content })),
  );
}

/** Returns the calls of a model, each as one text. */
export function read(model: MockLanguageModelV4): readonly string[] {
  return readCalls(model).map((lines) => lines.join('\n'));
}

export function timesIn(text: string | undefined, phrase: string): number {
  return (text ?? '').split(phrase).length - 1;
}

/** Returns the messages of a call that are not system messages, and its system prompt. */
export function parted(model: MockLanguageModelV4, index = -1): { system: string; said: string } {
  const [lines = []] = [readCalls(model).at(index)];
  const isSystem = (line: string): boolean => line.startsWith('{"role":"system"');
  return {
    system: lines.filter(isSystem).join('\n'),
    said: lines.filter((line) => !isSystem(line)).join('\n'),
  };
}

/** What a run answers; the AI SDK 6 has no `responseMessages`. */
interface Answer {
  readonly responseMessages?: PromiseLike<ModelMessage[]> | ModelMessage[];
  readonly response: PromiseLike<{ messages: ModelMessage[] }> | { messages: ModelMessage[] };
}

/** Returns all messages of an answer. */
export async function messagesOf({ responseMessages, response }: Answer): Promise<ModelMessage[]> {
  return (await responseMessages) ?? (await response).messages;
}
