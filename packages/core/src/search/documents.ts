// Builds the table behind an index: which skills have each term, and how often.

import type { Skill } from '../skill/skill.ts';
import { fingerprint, type IndexedText } from './indexed-text.ts';
import { placeIn } from './sorted.ts';
import { stem } from './stem.ts';
import { joinRows, type Row, rowOf, type Table, transpose } from './table.ts';
import { wordsOf } from './words.ts';

/** The skills of all terms: each row of the table is a term, each entry is the number of a skill. */
export interface Documents extends Table {
  /** All terms, sorted. */
  readonly terms: readonly string[];
  /** A fingerprint of the texts of each skill. */
  readonly fingerprints: Float64Array;
}

/**
 * How often a skill has a term in each field is packed into 16 bits. The count of a field begins at the bit `shift` and is at most
 * `most`; further occurrences are ignored.
 */
const fields = {
  name: { shift: 0, most: 0xf },
  description: { shift: 4, most: 0x3f },
  body: { shift: 10, most: 0x3f },
};
const fieldNames = ['name', 'description', 'body'] as const;

const countIn = (packed: number, { shift, most }: (typeof fields)['name']): number => (packed >> shift) & most;

/** Returns how often a term occurs in the name. */
export const inName = (packed: number): number => countIn(packed, fields.name);
/** Does the same for the description. */
export const inDescription = (packed: number): number => countIn(packed, fields.description);
/** Does the same for the body. */
export const inBody = (packed: number): number => countIn(packed, fields.body);

const empty: Documents = { terms: [], fingerprints: new Float64Array(), ...joinRows([]) };

/** Finds the terms of all skills. Copies those of skills whose texts `previous` contains. */
export function indexDocuments(
  skills: readonly Skill[],
  readText: (skill: Skill) => IndexedText,
  previous: Documents = empty,
): Documents {
  const fingerprints = Float64Array.from(skills, (skill) => fingerprint(readText(skill)));
  if (isEqual(fingerprints, previous.fingerprints)) return previous;
  const known = new Map(Array.from(previous.fingerprints, (print, document) => [print, document]));
  const knownSkills = transpose(previous, previous.fingerprints.length);
  const numbering = createNumbering(previous.terms);
  const stems = new Map<string, string>();

  function termOf(word: string): string {
    const term = stems.get(word) ?? stem(word);
    stems.set(word, term);
    return term;
  }

  function countTerms(texts: IndexedText): Row {
    const found = new Map<number, number>();
    for (const name of fieldNames) {
      const field = fields[name];
      for (const { term } of wordsOf(texts[name], termOf)) {
        const number = numbering.numberOf(term);
        const packed = found.get(number) ?? 0;
        if (countIn(packed, field) < field.most) found.set(number, packed + (1 << field.shift));
      }
    }
    return { entries: [...found.keys()], counts: [...found.values()] };
  }

  const rows = skills.map((skill, index) => {
    const document = known.get(fingerprints[index] ?? 0);
    return document === undefined ? countTerms(readText(skill)) : rowOf(knownSkills, document);
  });
  const table = joinRows(rows);
  const { terms, entries } = sortTerms(numbering.terms, table.entries);
  return { terms, fingerprints, ...transpose({ ...table, entries }, terms.length) };
}

/** Numbers terms in the order in which they are found. Terms of the previous index, which are sorted, keep their numbers. */
function createNumbering(previous: readonly string[]) {
  const terms = [...previous];
  const numbers = new Map<string, number>();
  function numberOf(term: string): number {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    const place = placeIn(previous, term);
    const number = previous[place] === term ? place : terms.push(term) - 1;
    numbers.set(term, number);
    return number;
  }
  return { terms, numberOf };
}

/** Sorts terms, leaves out those that no skill has, and gives the entries the new numbers. */
function sortTerms(terms: readonly string[], entries: Uint32Array) {
  const isUsed = new Uint8Array(terms.length);
  for (const number of entries) isUsed[number] = 1;
  const order = [...terms.keys()].filter((number) => isUsed[number] === 1);
  order.sort((one, other) => ((terms[one] ?? '') < (terms[other] ?? '') ? -1 : 1));
  const places = new Uint32Array(terms.length);
  order.forEach((number, place) => {
    places[number] = place;
  });
  return { terms: order.map((number) => terms[number] ?? ''), entries: entries.map((number) => places[number] ?? 0) };
}

function isEqual(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((print, index) => print === other[index]);
}
