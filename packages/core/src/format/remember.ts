// Remembers what keys mean, because thousands of skills have the same few.

import { ownText } from './tree.ts';

/** Texts in memory at once. */
const mostTexts = 1000;
/** UTF-16 units; the answer for a longer text is not kept. */
const longestText = 64;

/** Returns a function that gives the same answers, and computes each of them once while it is in memory. */
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
