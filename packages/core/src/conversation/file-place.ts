// Which models read a file in the result of a tool, which in a message after it, and which not at all.

import { renderUnseen } from '../disclosure/answers.ts';

/** The result of a tool with files, as one model can take it. */
export interface PlacedFiles<File> {
  /** Says so if a file had to be left out. */
  readonly text: string;
  readonly inResult: readonly File[];
  /** For a user message after the results of the step. */
  readonly inMessage: readonly File[];
}

/** Where a model reads a file. */
export type FilePlace = 'result' | 'message' | 'nowhere';
const any = /./;
const audio = /^audio\//;

/** Which models, which files, which place: the first rule that fits counts, and without one a file goes into the result. */
const rules: readonly (readonly [models: RegExp, files: RegExp, place: FilePlace])[] = [
  [/^google\b/, /^image\/gif$/, 'nowhere'],
  [/^google\b/, /^image\//, 'result'],
  // Older packages send the bytes of other files in a result as text.
  [/^google\b/, any, 'message'],
  [/^(?:openai|azure)\.chat$/, audio, 'nowhere'],
  [/^(?:openai|azure)\.chat$/, any, 'message'],
  // Other chat completions, called directly or through a gateway, would get the bytes as text.
  [/\.(?:chat|completion)$/, any, 'nowhere'],
  [/^(?!openai|anthropic)[^/]*\//, any, 'nowhere'],
  [/anthropic|bedrock|\.responses$|^openai\b/, audio, 'nowhere'],
];

/**
 * Puts each file where a model reads it. `model` is the name of the model's package, or through a gateway of its vendor and `/`,
 * or a function that says where the model reads a file.
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
    text: isAllSeen ? text : `${text} ${renderUnseen()}`,
    inResult: files.filter((file) => placeOf(file) === 'result'),
    inMessage: files.filter((file) => placeOf(file) === 'message'),
  };
}
