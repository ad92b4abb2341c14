// Calibrates closeness of meaning with questions that no skill answers, because each embedding model has its own scale.

/** Short and long questions of daily life that skills hardly ever answer. */
export const offTopicQuestions: readonly string[] = [
  'why do leaves change colour',
  'who discovered America',
  'how long does a cold last',
  'how do snails cross a road',
  'my shoelaces keep coming undone',
  'how deep should I plant an apple tree',
  'which mountain is the most difficult to climb',
  'is it rude to whistle at the table',
  'how do I get sand out of my shoes',
  'what is the name of the horse of Don Quixote',
  'can you hear thunder without lightning',
  'why is my little sister always angry with me',
  'when did people begin to wear trousers',
  'what tastes good with rice',
  'how do I fall asleep faster',
  'are wild strawberries healthy',
  'We found a young hedgehog under the shed this morning, and it has not moved since, so we wonder if we should give it some milk or leave it alone.',
  'My aunt has promised to knit a pullover for my husband, but he does not like wool at all, and now I do not know how to tell her.',
  'Last summer our tent leaked after only one night of rain, and everything was wet, so what should we look for when we buy another one?',
  'In the story a fisherman catches a golden fish that speaks, and his wife always wants more, what happens to them in the end?',
];

/** The least standard deviation, because small models find all questions equally close. */
const leastDeviation = 0.01;

/**
 * Returns a function that converts similarity to closeness: the number of standard deviations above the average of `closest`, the
 * similarities of `offTopicQuestions` to their closest skills. Returns `undefined` if nothing was compared.
 */
export function closenessFrom(closest: readonly number[]): (similarity: number) => number | undefined {
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const mean = meanOf(closest);
  const deviation = Math.max(leastDeviation, Math.sqrt(meanOf(closest.map((value) => (value - mean) ** 2))));
  return (similarity) => (closest.length === 0 ? undefined : (similarity - mean) / deviation);
}
