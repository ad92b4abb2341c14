// What an index knows of skills: which of them have each term, and how often.

import type { Skill } from '../skill/skill.ts';
import { placeIn } from './sorted.ts';
import { stem } from './stem.ts';
import { wordsOf } from './words.ts';

/** Fields of a skill, and the bits that count a term in them; more occurrences change nothing. */
const maxName = 0xf;
const maxText = 0x3f;

/** Packs how often a term occurs in the name, in the description and in the text of a skill. */
function pack(name: number, description: number, body: number): number {
  return Math.min(name, maxName) | (Math.min(description, maxText) << 4) | (Math.min(body, maxText) << 10);
}

/** Returns how often a packed term occurs in the name, in the description and in the text. */
export const inName = (packed: number): number => packed & maxName;
export const inDescription = (packed: number): number => (packed >> 4) & maxText;
export const inBody = (packed: number): number => packed >> 10;

/** Rows of numbers, each with a count: the skills of each term, or from the other side the terms of each skill. */
interface Table {
  /** Where each row begins; one more than there are rows. */
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  readonly counts: Uint16Array;
}

/** The skills of all terms: each row of the table is a term, and each entry the number of a skill. */
export interface Documents extends Table {
  /** Every term, in order. */
  readonly terms: readonly string[];
  /** What recognises the texts of each skill. */
  readonly prints: Float64Array;
}

/** The texts that are indexed of a skill. */
export interface IndexedText {
  readonly name: string;
  readonly description: string;
  /** Headings and the beginning of the body, if they are indexed. */
  readonly body: string;
}

/** Characters of each text that are indexed: longer ones are no descriptions. */
const maxLength = 20_000;

export function textOf({ name, description, properties: { whenToUse } }: Skill, body = ''): IndexedText {
  const text = whenToUse === undefined ? description : `${description}\n${whenToUse}`;
  return { name: name.slice(0, maxLength), description: text.slice(0, maxLength), body: body.slice(0, maxLength) };
}

/** Works out the terms of all skills; those of a skill whose texts `previous` knows are copied. */
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
  // Old terms keep their numbers until all are known.
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

  function read({ name, description, body }: IndexedText): void {
    const found = new Map<number, [number, number, number]>();
    [name, description, body].forEach((text, field) => {
      for (const { term } of wordsOf(text, termOf)) {
        const number = numberOf(term);
        const count = found.get(number) ?? [0, 0, 0];
        count[field] = (count[field] ?? 0) + 1;
        found.set(number, count);
      }
    });
    for (const [number, count] of found) {
      entries.push(number);
      counts.push(pack(...count));
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

/** Returns 53 bits that recognise some texts. An index that mixed two skills up would only rank them wrongly. */
function fingerprint({ name, description, body }: IndexedText): number {
  const hash = [name, description, body].reduce(hashText, 0x811c9dc5);
  return (hash >>> 0) * 2 ** 21 + ((name.length * 31 + description.length + body.length) & 0x1fffff);
}

/** Mixes a text into a hash, two characters at a time: FNV-1a, and high bits into low ones after each pair. */
function hashText(start: number, text: string): number {
  let hash = mix(start, text.length);
  let at = 0;
  for (; at + 1 < text.length; at += 2) hash = mix(hash, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  return at < text.length ? mix(hash, text.charCodeAt(at)) : hash;
}

function mix(hash: number, bits: number): number {
  const mixed = Math.imul(hash ^ bits, 0x01000193);
  return mixed ^ (mixed >>> 15);
}

/** Makes the columns of a table its rows. The entries of each are in order. */
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
