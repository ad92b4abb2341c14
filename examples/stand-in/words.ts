// Compares texts by the words that they share, as roughly as a reader in a hurry.

const stopWords = (
  'a about after all also an and any are as at be before but by can could do does for from get give had has have ' +
  'help her his how i if in into is it its let make may me my need new now of on one only or our out please read say she ' +
  'should show so some someone tell than that the their them then there these they this to up us use want was we ' +
  'what when where which who why will with would write written you your'
).split(' ');

const endings = ['ies', 'ing', 'ion', 'ed', 'es', 'ly', 's', 'e', 'y'];

/** Cuts a word to its stem: `pagination`, `paginated` and `paginates` become `paginat`. */
export function stem(word: string): string {
  const ending = endings.find((candidate) => word.endsWith(candidate) && word.length - candidate.length >= 3);
  if (ending !== undefined) return stem(word.slice(0, -ending.length));
  return /([^aeiou])\1$/.test(word) ? word.slice(0, -1) : word;
}

const stopStems: ReadonlySet<string> = new Set(stopWords.map(stem));

/** Returns the stems of a text's meaningful words. */
export function stemsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.map(stem).filter((word) => !stopStems.has(word)));
}

/** Returns the stems that two texts share. */
export function sharedStems(one: string, other: string): string[] {
  const stems = stemsOf(other);
  return [...stemsOf(one)].filter((word) => stems.has(word));
}

/** Returns the candidate with the highest score, the first of equals; `undefined` if none scores above zero. */
export function pickBest<T>(candidates: readonly T[], score: (candidate: T) => number): T | undefined {
  let best: { readonly candidate: T; readonly points: number } | undefined;
  for (const candidate of candidates) {
    const points = score(candidate);
    if (points > (best?.points ?? 0)) best = { candidate, points };
  }
  return best?.candidate;
}
