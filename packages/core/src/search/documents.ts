// Builds the table behind an index: which skills have each term, and how often.

import type { Skill } from '../skill/skill.ts';
import { purposeOf } from './purpose.ts';
import { placeIn } from './sorted.ts';
import { stem } from './stem.ts';
import { wordsOf } from './words.ts';

/** Where the counts of a term in the fields of a skill are in a packed number, and the largest; further occurrences are ignored. */
const bits = { name: { shift: 0, most: 0xf }, description: { shift: 4, most: 0x3f }, body: { shift: 10, most: 0x3f } };

const fields = ['name', 'description', 'body'] as const;

const countIn = (packed: number, { shift, most }: (typeof bits)['name']): number => (packed >> shift) & most;

/** Returns how often a term occurs in the name; the next two do so for the description and the body. */
export const inName = (packed: number): number => countIn(packed, bits.name);
export const inDescription = (packed: number): number => countIn(packed, bits.description);
export const inBody = (packed: number): number => countIn(packed, bits.body);

/** A sparse table: the skills of each term with counts, or the other way round, the terms of each skill. */
interface Table {
  /** Where each row begins, and at the end where the last row ends. */
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  readonly counts: Uint16Array;
}

/** The skills of all terms: each row of the table is a term, each entry is the number of a skill. */
export interface Documents extends Table {
  /** All terms, sorted. */
  readonly terms: readonly string[];
  /** A fingerprint of the texts of each skill. */
  readonly prints: Float64Array;
}

/** The texts of a skill that are indexed. */
export interface IndexedText {
  readonly name: string;
  readonly description: string;
  /** Headings and the beginning of the body, if they are indexed. */
  readonly body: string;
}

/** Characters of each text that are indexed; no real description is as long. */
const maxLength = 20_000;

export function textOf(skill: Skill, body = ''): IndexedText {
  const [name = '', description = '', rest = ''] = [skill.name, purposeOf(skill), body].map((text) =>
    text.slice(0, maxLength),
  );
  return { name, description, body: rest };
}

/** Finds the terms of all skills. Copies those of skills whose texts `previous` contains. */
export function indexDocuments(
  skills: readonly Skill[],
  readText: (skill: Skill) => IndexedText,
  previous?: Documents,
): Documents {
  const prints = Float64Array.from(skills, (skill) => fingerprint(readText(skill)));
  if (previous !== undefined && isEqual(prints, previous.prints)) return previous;
  const known = new Map(Array.from(previous?.prints ?? [], (print, index) => [print, index]));
  const before = previous && turnAround(previous, previous.prints.length);
  const stems = new Map<string, string>();
  // Old terms keep their numbers until all terms are known.
  const olds = previous?.terms ?? [];
  const terms = [...olds];
  const numbers = new Map<string, number>();
  const starts = new Uint32Array(skills.length + 1);
  const entries: number[] = [];
  const counts: number[] = [];

  function numberOf(term: string): number {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    const old = placeIn(olds, term);
    const number = olds[old] === term ? old : terms.push(term) - 1;
    numbers.set(term, number);
    return number;
  }

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
    for (const field of fields) {
      const place = bits[field];
      for (const { term } of wordsOf(texts[field], termOf)) {
        const number = numberOf(term);
        const packed = found.get(number) ?? 0;
        if (countIn(packed, place) < place.most) found.set(number, packed + (1 << place.shift));
      }
    }
    for (const [number, packed] of found) {
      entries.push(number);
      counts.push(packed);
    }
  }

  skills.forEach((skill, index) => {
    const document = known.get(prints[index] ?? 0);
    if (before !== undefined && document !== undefined) copy(before, document);
    else read(readText(skill));
    starts[index + 1] = entries.length;
  });
  const sorted = Uint32Array.from(entries);
  const places = new Uint32Array(terms.length);
  for (const number of entries) places[number] = 1;
  const order = [...terms.keys()].filter((number) => places[number] === 1);
  order.sort((one, other) => ((terms[one] ?? '') < (terms[other] ?? '') ? -1 : 1));
  order.forEach((number, place) => {
    places[number] = place;
  });
  for (let at = 0; at < sorted.length; at++) sorted[at] = places[sorted[at] ?? 0] ?? 0;
  const table = { starts, entries: sorted, counts: Uint16Array.from(counts) };
  return { terms: order.map((number) => terms[number] ?? ''), prints, ...turnAround(table, order.length) };
}

function isEqual(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((print, index) => print === other[index]);
}

/** Returns a hash of 53 bits. A collision would do no harm except a wrong rank. */
function fingerprint({ name, description, body }: IndexedText): number {
  const hash = [name, description, body].reduce(hashText, 0x811c9dc5);
  return (hash >>> 0) * 2 ** 21 + ((name.length * 31 + description.length + body.length) & 0x1fffff);
}

/** Adds a text to a hash, two characters at a time: FNV-1a, with the high bits mixed into the low ones after each pair. */
function hashText(start: number, text: string): number {
  let hash = mix(start, text.length);
  let at = 0;
  for (; at + 1 < text.length; at += 2) hash = mix(hash, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  return at < text.length ? mix(hash, text.charCodeAt(at)) : hash;
}

/** Adds 32 bits to a hash. */
export function mix(hash: number, bits: number): number {
  const mixed = Math.imul(hash ^ bits, 0x01000193);
  return mixed ^ (mixed >>> 15);
}

/** Transposes a table. The entries of each row are sorted. */
function turnAround({ starts, entries, counts }: Table, columns: number): Table {
  const turned = new Uint32Array(columns + 1);
  for (const column of entries) turned[column + 1] = (turned[column + 1] ?? 0) + 1;
  for (let column = 0; column < columns; column++)
    turned[column + 1] = (turned[column + 1] ?? 0) + (turned[column] ?? 0);
  const next = turned.slice();
  const rows = new Uint32Array(entries.length);
  const counted = new Uint16Array(entries.length);
  for (let row = 0; row + 1 < starts.length; row++) {
    const end = starts[row + 1] ?? 0;
    for (let at = starts[row] ?? 0; at < end; at++) {
      const column = entries[at] ?? 0;
      const place = next[column] ?? 0;
      next[column] = place + 1;
      rows[place] = row;
      counted[place] = counts[at] ?? 0;
    }
  }
  return { starts: turned, entries: rows, counts: counted };
}
