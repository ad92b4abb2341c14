// Finds skills by words: an index over names, descriptions and hints, ranked by BM25F.

import type { Skill } from '../skill/skill.ts';
import { isMatching } from './filter.ts';
import type { SearchOptions, SkillIndex, SkillMatch } from './skill-index.ts';

/** An index in memory, which answers at once. */
export interface LexicalIndex extends SkillIndex {
  search(query: string, options?: SearchOptions): readonly SkillMatch[];
}

interface Posting {
  readonly document: number;
  /** Occurrences, weighted by field. */
  weight: number;
}

const nameWeight = 2.5;
const saturation = 1.2;
const lengthShare = 0.75;

/** Characters of a query that count; putting marks above letters into order takes the square of their number. */
const maxQuery = 2_000;

/** Creates an index in memory. Costs one pass over names and descriptions; a query costs its words' postings. */
export function createSkillIndex(skills: readonly Skill[]): LexicalIndex {
  const postings = new Map<string, Posting[]>();
  const lengths = skills.map((skill, document) => {
    const described = [...wordsOf(skill.description), ...wordsOf(skill.properties.whenToUse ?? '')];
    const named = wordsOf(skill.name);
    for (const word of named) addPosting(postings, word, document, nameWeight);
    for (const word of described) addPosting(postings, word, document, 1);
    return named.length + described.length;
  });
  const meanLength = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, skills.length));
  return {
    search(query, { limit = 5, filter = {}, signal } = {}) {
      signal?.throwIfAborted();
      const scores = new Map<number, number>();
      const matched = new Map<number, string[]>();
      for (const word of new Set(wordsOf(query.slice(0, maxQuery)))) {
        const found = postings.get(word) ?? [];
        const rarity = Math.log(1 + (skills.length - found.length + 0.5) / (found.length + 0.5));
        for (const { document, weight } of found) {
          const length = 1 - lengthShare + (lengthShare * (lengths[document] ?? 0)) / meanLength;
          const score = (rarity * weight * (saturation + 1)) / (weight + saturation * length);
          scores.set(document, (scores.get(document) ?? 0) + score);
          matched.set(document, [...(matched.get(document) ?? []), word]);
        }
      }
      return [...scores]
        .flatMap(([document, score]) => {
          const skill = skills[document];
          if (skill === undefined || !isMatching(skill, filter)) return [];
          return [{ skill, score, band: 'strong' as const, words: matched.get(document) ?? [] }];
        })
        .sort((a, b) => b.score - a.score || (a.skill.name < b.skill.name ? -1 : 1))
        .slice(0, limit);
    },
  };
}

function addPosting(postings: Map<string, Posting[]>, word: string, document: number, weight: number): void {
  const list = postings.get(word);
  const last = list?.at(-1);
  if (list === undefined) postings.set(word, [{ document, weight }]);
  else if (last?.document === document) last.weight += weight;
  else list.push({ document, weight });
}

const stopWords = new Set(
  'a an and are as at be by can do for from has have how i if in into is it its me my of on or our so that the their them then these this to use used user when which will with you your'.split(
    ' ',
  ),
);

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Splits a text into words to index: folded, stemmed, without the most common ones; pairs of characters for scripts without spaces. */
function wordsOf(text: string): readonly string[] {
  const folded = text.normalize('NFKC').toLowerCase();
  const words: string[] = [];
  for (const [run] of folded.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (ideographs.test(run)) for (const pair of pairsOf(run)) words.push(pair);
    else if (!stopWords.has(run)) words.push(stem(run));
  }
  return words;
}

function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  return characters.length < 2
    ? characters
    : characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Removes the most common English endings: plural, past, progressive, and the adverb's `-ly`. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const endings: readonly (readonly [string, string])[] = [
    ['ies', 'y'],
    ['sses', 'ss'],
    ['ing', ''],
    ['ed', ''],
    ['ly', ''],
    ['es', 'e'],
    ['s', ''],
  ];
  for (const [ending, instead] of endings) {
    if (!word.endsWith(ending) || word.endsWith('ss')) continue;
    const stemmed = word.slice(0, -ending.length) + instead;
    if (stemmed.length < 3) continue;
    return stemmed.endsWith('e') ? stemmed.slice(0, -1) : undouble(stemmed);
  }
  return word.endsWith('e') ? word.slice(0, -1) : word;
}

function undouble(word: string): string {
  const last = word.at(-1);
  return last === word.at(-2) && last !== undefined && !'lsz'.includes(last) ? word.slice(0, -1) : word;
}
