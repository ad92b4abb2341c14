// Decides whether a model can read a file in a tool result, only in a message after it, or not at all.

import { unseenNote } from '../disclosure/answers.ts';

/** A tool result with files, as one model can read it. */
export interface PlacedFiles<File> {
  /** The text of the result. It mentions files that had to be left out. */
  readonly text: string;
  readonly inResult: readonly File[];
  /** Files for a user message after the results of the step. */
  readonly inMessage: readonly File[];
}

/** Where a model reads a file. */
export type FilePlace = 'result' | 'message' | 'nowhere';
const any = /./;
const audio = /^audio\//;

/** Places by model and media type. The first rule that matches decides; if none does, a file goes into the result. */
const rules: readonly (readonly [models: RegExp, files: RegExp, place: FilePlace])[] = [
  [/^google\b/, /^image\/gif$/, 'nowhere'],
  [/^google\b/, /^image\//, 'result'],
  // Older packages send the bytes of any other file in a result as text.
  [/^google\b/, any, 'message'],
  [/^(?:openai|azure)\.chat$/, audio, 'nowhere'],
  [/^(?:openai|azure)\.chat$/, any, 'message'],
  [/^ollama\b/, /^image\//, 'message'],
  // Ollama's package sends the bytes of any other file as text. Grok's package drops it.
  [/^(?:ollama|xai)\b/, /^(?!image\/)/, 'nowhere'],
  // With other chat completions, directly or through a gateway, the bytes would be sent as text.
  [/\.(?:chat|completion)$/, any, 'nowhere'],
  [/^(?!openai|anthropic)[^/]*\//, any, 'nowhere'],
  [/anthropic|bedrock|\.responses$|^openai\b/, audio, 'nowhere'],
];

/**
 * Puts each file where a model can read it. `model` is the name of the model's package; with a gateway, the vendor and `/`; or a
 * function that returns the place of a file.
 */
export function placeFiles<File extends { readonly mediaType: string }>(
  model: string | ((mediaType: string) => FilePlace),
  text: string,
  files: readonly File[],
): PlacedFiles<File> {
  const placeOf = ({ mediaType }: File): FilePlace =>
    typeof model === 'function'
      ? model(mediaType)
      : (rules.find(([models, types]) => models.test(model) && types.test(mediaType))?.[2] ?? 'result');
  const isAllSeen = files.every((file) => placeOf(file) !== 'nowhere');
  return {
    text: isAllSeen ? text : `${text} ${unseenNote}`,
    inResult: files.filter((file) => placeOf(file) === 'result'),
    inMessage: files.filter((file) => placeOf(file) === 'message'),
  };
}
