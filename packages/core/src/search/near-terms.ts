// Finds the known terms that an unknown word may mean: longer terms that begin with it, and terms of which it is a typo.

import { closestNames } from '../text/closest.ts';
import { placeIn } from './sorted.ts';

/** A beginning in Chinese, Japanese or Korean, where one character may already be a word. */
const eastAsian = /^[^\u0000-\u2fff]/u;

/** A number that goes on: `iso27` is not the beginning of `iso27001`. */
const inNumber = /^\d\d/;

/** Creates a function that finds up to three known terms for an unknown one. */
export function createFindNear(sorted: readonly string[]): (term: string) => readonly string[] {
  /** The characters of each term, computed when the first typo is looked up. */
  let letters: Uint32Array | undefined;
  return (term) => {
    const longer = withPrefix(sorted, term);
    // Short terms resemble too many others, and comparing long ones takes too long.
    if (longer.length > 0 || term.length < 4 || term.length > 32) return longer;
    letters ??= Uint32Array.from(sorted, lettersOf);
    const edits = term.length < 8 ? 1 : 2;
    const wanted = lettersOf(term);
    // Another number is another thing: ISO 27001 is no typo for ISO 27002. But `python3` may mean `python`.
    const digits = digitsOf(term);
    const isPossible = (known: string): boolean => ['', digits].includes(digitsOf(known));
    const similar: string[] = [];
    for (let at = 0; at < sorted.length; at++) {
      // An edit changes at most two characters of the set: it removes one and adds another.
      if (bitCount((letters[at] ?? 0) ^ wanted) > 2 * edits) continue;
      const known = sorted[at] ?? '';
      if (Math.abs(known.length - term.length) > edits) continue;
      // A term with two typos must have the same first letter.
      if ((edits === 1 || known[0] === term[0]) && isPossible(known)) similar.push(known);
    }
    return closestNames(term, similar, edits);
  };
}

function withPrefix(sorted: readonly string[], term: string): readonly string[] {
  if (term.length < 3 && !eastAsian.test(term)) return [];
  const from = placeIn(sorted, term);
  const isLonger = (known: string): boolean => known.startsWith(term) && !inNumber.test(known.slice(term.length - 1));
  return sorted.slice(from, from + 3).filter(isLonger);
}

function digitsOf(term: string): string {
  return term.replaceAll(/\D+/g, '');
}

/** Returns the set of characters of a term as 32 bits, in which some characters share a bit. */
function lettersOf(term: string): number {
  let set = 0;
  for (let at = 0; at < term.length; at++) set |= 1 << (term.charCodeAt(at) & 31);
  return set >>> 0;
}

function bitCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
