// Weighs an entry of the catalog at any length of its description without writing it, because a plan tries many lengths.

import { type Weight, weigh } from '../text/tokens.ts';
import { type CatalogFormat, createEntry, type RenderEntry, wrapEntries } from './entry.ts';
import { cutLine, cutPoint, type PlanLine } from './plan-line.ts';

/** Adds the weight of an entry with so many characters of its description at most. */
export type AddEntry = (length: number, sum: Weight) => void;

/** Prepares an entry so that it can be weighed at many lengths: each is the weight of what `render` writes. */
export function createScale(line: PlanLine, render: RenderEntry, format: CatalogFormat): AddEntry {
  const { text, characters } = line;
  const { lengths, special, around } = writings[format];
  const isSpecial = special.test(text);
  if (isSpecial && contextual.test(text)) return (length, sum) => addWeight(sum, weigh(render(cutLine(line, length))));
  const nameOnly = weigh(render(''));
  let whole: Weight | undefined = isSpecial ? undefined : { ...nameOnly, ascii: nameOnly.ascii + around + text.length };
  if (text === '') whole = nameOnly;
  const addStart = isSpecial ? createCounter(characters, lengths) : addPlain;
  return (length, sum) => {
    const end = cutPoint(line, length);
    if (end === undefined) {
      whole ??= weigh(render(text));
      addWeight(sum, whole);
      return;
    }
    addWeight(sum, nameOnly);
    if (end === 0) return;
    sum.ascii += around;
    sum.other += 1;
    addStart(end, sum);
  };
}

function addWeight(sum: Weight, { ascii, other }: Weight): void {
  sum.ascii += ascii;
  sum.other += other;
}

function addPlain(end: number, sum: Weight): void {
  sum.ascii += end;
}

/** Weighs the characters before one, going on from the one that was asked for last. */
function createCounter(characters: string | readonly string[], lengths: Uint8Array): typeof addPlain {
  let at = 0;
  let ascii = 0;
  let other = 0;
  return (end, sum) => {
    for (; at < end; at++) count(at, 1);
    for (; at > end; at--) count(at - 1, -1);
    sum.ascii += ascii;
    sum.other += other;
  };

  function count(index: number, sign: number): void {
    const character = characters[index] ?? '';
    const code = character.charCodeAt(0);
    if (code < 128) ascii += sign * (lengths[code] ?? 1);
    else other += sign * character.length;
  }
}

/** What is escaped as a whole and not one character after the other. */
const contextual = /\[\/?INST\]|```|~~~/;

interface Writing {
  /** How long each ASCII character is when it is written. */
  readonly lengths: Uint8Array;
  /** Finds whatever is not written as one ASCII character, or may not be. */
  readonly special: RegExp;
  /** What stands around a description and not around a name alone. */
  readonly around: number;
}

function findWriting(format: CatalogFormat): Writing {
  const render = createEntry({ name: 'x' }, format);
  const around = render(' ').length - 1 - render('').length;
  const lengthOf = (code: number): number => render(String.fromCharCode(code)).length - render('').length - around;
  const lengths = Uint8Array.from({ length: 128 }, (_, code) => lengthOf(code));
  const escaped = Array.from(lengths.keys()).filter((code) => lengths[code] !== 1);
  const codes = escaped.map((code) => `\\x${code.toString(16).padStart(2, '0')}`);
  return { lengths, special: new RegExp(`[^ -~]|[${codes.join('')}]|${contextual.source}`), around };
}

const writings: Readonly<Record<CatalogFormat, Writing>> = {
  markdown: findWriting('markdown'),
  xml: findWriting('xml'),
  json: findWriting('json'),
};

/** Gives the weight of a catalog's text beside that of its entries. */
export function weighFrame(count: number, format: CatalogFormat): Weight {
  if (count === 0) return { ascii: 0, other: 0 };
  const one = wrapEntries(['\n'], format).length - 1;
  const each = wrapEntries(['\n', '\n'], format).length - 2 - one;
  return { ascii: one + (count - 1) * each, other: 0 };
}
