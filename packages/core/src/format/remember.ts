// Remembers what keys mean, because thousands of skills use the same few.

import { ownText } from './tree.ts';

/** Texts in memory at once. */
const mostTexts = 1000;
/** UTF-16 units of the longest text whose answer is kept. */
const longestText = 64;

/** Wraps a function so that it computes each answer only once while the answer is in memory. */
export function remember<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, { readonly value: Answer }>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known.value;
    const value = answer(text);
    if (answers.size >= mostTexts) answers.clear();
    if (text.length <= longestText) answers.set(ownText(text), { value });
    return value;
  };
}
