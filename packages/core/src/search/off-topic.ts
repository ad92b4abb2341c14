// How close is close by meaning: each embedding model has its own scale, so it is asked questions that skills do not answer.

/** Questions of daily life that skills hardly ever answer, short and long. */
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

/**
 * Returns the similarity above which a skill answers a query by meaning alone, from the similarity of each of `offTopicQuestions`
 * to its closest skill: two standard deviations above their mean. No skill exceeds it if the model cannot tell topics apart.
 */
export function closeFrom(closest: readonly number[]): number {
  // Not a number if there are no skills, which no similarity exceeds either.
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const mean = meanOf(closest);
  return mean + 2 * Math.sqrt(meanOf(closest.map((value) => (value - mean) ** 2)));
}
