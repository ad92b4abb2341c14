// Builds the table behind an index: which skills have each term, and how often.

import type { Skill } from '../skill/skill.ts';
import { fingerprint, type IndexedText } from './indexed-text.ts';
import { placeIn } from './sorted.ts';
import { stem } from './stem.ts';
import { type Table, transpose } from './table.ts';
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

/** Returns how often a term occurs in the name; the next two do so for the description and the body. */
export const inName = (packed: number): number => countIn(packed, fields.name);
export const inDescription = (packed: number): number => countIn(packed, fields.description);
export const inBody = (packed: number): number => countIn(packed, fields.body);

/** Finds the terms of all skills. Copies those of skills whose texts `previous` contains. */
export function indexDocuments(
  skills: readonly Skill[],
  readText: (skill: Skill) => IndexedText,
  previous?: Documents,
): Documents {
  const fingerprints = Float64Array.from(skills, (skill) => fingerprint(readText(skill)));
  if (previous !== undefined && isEqual(fingerprints, previous.fingerprints)) return previous;
  const known = new Map(Array.from(previous?.fingerprints ?? [], (print, document) => [print, document]));
  const knownSkills = previous && transpose(previous, previous.fingerprints.length);
  const { terms, numberOf } = createNumbering(previous?.terms ?? []);
  const stems = new Map<string, string>();
  // The terms of each skill, one skill after the other.
  const starts = new Uint32Array(skills.length + 1);
  const entries: number[] = [];
  const counts: number[] = [];

  function termOf(word: string): string {
    const term = stems.get(word) ?? stem(word);
    stems.set(word, term);
    return term;
  }

  function copy(table: Table, row: number): void {
    for (let at = table.starts[row] ?? 0; at < (table.starts[row + 1] ?? 0); at++) {
      entries.push(table.entries[at] ?? 0);
      counts.push(table.counts[at] ?? 0);
    }
  }

  function read(texts: IndexedText): void {
    const found = new Map<number, number>();
    for (const name of fieldNames) {
      const field = fields[name];
      for (const { term } of wordsOf(texts[name], termOf)) {
        const number = numberOf(term);
        const packed = found.get(number) ?? 0;
        if (countIn(packed, field) < field.most) found.set(number, packed + (1 << field.shift));
      }
    }
    for (const [number, packed] of found) {
      entries.push(number);
      counts.push(packed);
    }
  }

  skills.forEach((skill, index) => {
    const document = known.get(fingerprints[index] ?? 0);
    if (knownSkills !== undefined && document !== undefined) copy(knownSkills, document);
    else read(readText(skill));
    starts[index + 1] = entries.length;
  });
  const sorted = sortTerms(terms, entries);
  const bySkill = { starts, entries: sorted.entries, counts: Uint16Array.from(counts) };
  return { terms: sorted.terms, fingerprints, ...transpose(bySkill, sorted.terms.length) };
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
function sortTerms(terms: readonly string[], entries: readonly number[]) {
  const isUsed = new Uint8Array(terms.length);
  for (const number of entries) isUsed[number] = 1;
  const order = [...terms.keys()].filter((number) => isUsed[number] === 1);
  order.sort((one, other) => ((terms[one] ?? '') < (terms[other] ?? '') ? -1 : 1));
  const places = new Uint32Array(terms.length);
  order.forEach((number, place) => {
    places[number] = place;
  });
  const renumbered = Uint32Array.from(entries);
  for (let at = 0; at < renumbered.length; at++) renumbered[at] = places[renumbered[at] ?? 0] ?? 0;
  return { terms: order.map((number) => terms[number] ?? ''), entries: renumbered };
}

function isEqual(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((print, index) => print === other[index]);
}
