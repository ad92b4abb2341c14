// What an index knows of each skill: the numbers of its terms, in the order of the skills.

import type { Skill } from '../skill/skill.ts';
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

/** The terms of all skills, one skill after the other. */
export interface Documents {
  /** Every term, by its number. */
  readonly terms: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** What recognises the texts of each skill. */
  readonly prints: Float64Array;
  /** Where the terms of each skill begin; one more than there are skills. */
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  readonly counts: Uint16Array;
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
export function indexDocuments(texts: readonly IndexedText[], previous?: Documents): Documents {
  const prints = Float64Array.from(texts, fingerprint);
  if (previous !== undefined && isEqual(prints, previous.prints)) return previous;
  const terms: string[] = [];
  const numbers = new Map<string, number>();
  const known = previous && new Map(Array.from(previous.prints, (print, index) => [print, index]));
  const stems = new Map<string, string>();
  const renumbered = new Int32Array(previous?.terms.length ?? 0).fill(-1);
  const starts = new Uint32Array(texts.length + 1);
  const entries: number[] = [];
  const counts: number[] = [];

  function numberOf(term: string): number {
    const number = numbers.get(term) ?? numbers.size;
    if (number === numbers.size) {
      numbers.set(term, number);
      terms.push(term);
    }
    return number;
  }

  function termOf(word: string): string {
    const term = stems.get(word) ?? stem(word);
    stems.set(word, term);
    return term;
  }

  function copy(source: Documents, document: number): void {
    for (let at = source.starts[document] ?? 0; at < (source.starts[document + 1] ?? 0); at++) {
      const old = source.entries[at] ?? 0;
      if (renumbered[old] === -1) renumbered[old] = numberOf(source.terms[old] ?? '');
      entries.push(renumbered[old] ?? 0);
      counts.push(source.counts[at] ?? 0);
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

  texts.forEach((text, index) => {
    const document = known?.get(prints[index] ?? 0);
    if (previous !== undefined && document !== undefined) copy(previous, document);
    else read(text);
    starts[index + 1] = entries.length;
  });
  return { terms, numbers, prints, starts, entries: Uint32Array.from(entries), counts: Uint16Array.from(counts) };
}

function isEqual(one: Float64Array, other: Float64Array): boolean {
  return one.length === other.length && one.every((print, index) => print === other[index]);
}

/** Returns 53 bits that recognise some texts. An index that mixed two skills up would only rank them wrongly. */
function fingerprint({ name, description, body }: IndexedText): number {
  const hash = [name, description, body].reduce(hashText, 0x811c9dc5);
  return (hash >>> 0) * 2 ** 21 + ((name.length * 31 + description.length + body.length) & 0x1fffff);
}

/** Mixes a text into a hash: FNV-1a, and high bits into low ones after each character. */
function hashText(start: number, text: string): number {
  let hash = Math.imul(start ^ text.length, 0x01000193);
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash;
}
