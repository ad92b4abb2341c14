// Removes the endings of English words, so that `filling` finds `fill`, with the Snowball stemmer for English (Porter 2):
// https://snowballstem.org/algorithms/english/stemmer.html. Unlike there, words without a vowel lose a final `s`, too, because most
// are abbreviations such as `PRs`; and more related words have one stem, such as `profession` and `professional`. An ending is
// removed only in a region of the word: R1 is what follows the first consonant after a vowel, and R2 is the same within R1. The
// numbers `r1` and `r2` say where they begin. A `y` at the beginning of a word or after a vowel is a consonant, and written `Y`.

type Ending = readonly [ending: string, replacement: string];

const vowel = /[aeiouy]/u;
const shortEnd = /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouwxyY])$/u;
const vowelAndConsonant = /[aeiouy][^aeiouy]/u;

const irregular: ReadonlyMap<string, string> = new Map(
  parseEndings(
    'skis:ski skies:sky sky:sky dying:die lying:lie tying:tie news:news analyses:analysi data:data atlas:atlas bias:bias ' +
      'cosmos:cosmos early:earli gently:gentl idly:idl only:onli singly:singl ugly:ugli',
  ),
);

/** Words that keep their ending, although it looks like that of another form. */
const complete: ReadonlySet<string> = new Set(
  'canning earring evening exceed herring inning outing proceed succeed'.split(' '),
);

/** R1 begins after each of these beginnings, although their first vowel and consonant come earlier. */
const longBeginnings = ['gener', 'commun', 'arsen'];

const past = ['ed', 'ing', 'edly', 'ingly'];

/** The endings of the steps 2, 3 and 4, longest first, because only the longest that fits is replaced. */
const derived = parseEndings(
  'ization:ize ational:ate fulness:ful ousness:ous iveness:ive tional:tion biliti:ble lessli:less entli:ent ' +
    'ation:ate alism:al aliti:al ousli:ous iviti:ive fulli:ful enci:ence anci:ance abli:able izer:ize ' +
    'ator:ate alli:al ogi:og bli:ble',
);

const adjectives = parseEndings('ational:ate tional:tion alize:al icate:ic iciti:ic ical:ic ness ful');

const residues = parseEndings('ement ance ence able ible ment ant ent ism ate iti ous ive ize al er ic');

/** Parses endings and their replacements: the text after a colon, or nothing. */
function parseEndings(written: string): readonly Ending[] {
  return written.split(' ').map((pair) => {
    const [ending = '', replacement = ''] = pair.split(':');
    return [ending, replacement];
  });
}

/** Returns the stem of a lower-case word. Words with letters other than `a` to `z` are returned unchanged. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/u.test(word)) return word;
  const known = irregular.get(word);
  if (known !== undefined) return known;
  const singular = withoutPlural(markConsonants(word));
  if (complete.has(singular)) return singular;
  const r1 = longBeginnings.find((start) => singular.startsWith(start))?.length ?? regionFrom(singular, 0);
  const r2 = regionFrom(singular, r1);
  let stemmed = withoutPast(singular, r1);
  if (/.[^aeiouy]y$/u.test(stemmed)) stemmed = `${stemmed.slice(0, -1)}i`;
  stemmed = replaceEnding(stemmed, derived, r1);
  if (/[cdeghkmnrt]li$/u.test(stemmed) && stemmed.length - 2 >= r1) stemmed = stemmed.slice(0, -2);
  stemmed = replaceEnding(stemmed, adjectives, r1);
  if (stemmed.endsWith('ative') && stemmed.length - 5 >= r2) stemmed = stemmed.slice(0, -5);
  stemmed = replaceEnding(stemmed, residues, r2);
  if (/[st]ion$/u.test(stemmed) && stemmed.length - 3 >= r2) stemmed = stemmed.slice(0, -3);
  return withoutLastLetter(stemmed, r1, r2).toLowerCase();
}

/** Writes each `y` that is a consonant as `Y`. Looks for one first, because few words have any, and there are many words. */
function markConsonants(word: string): string {
  return word.includes('y') ? word.replace(/^y|(?<=[aeiouy])y/gu, 'Y') : word;
}

/** Returns where the region of the part from `start` begins. */
function regionFrom(word: string, start: number): number {
  const at = word.slice(start).search(vowelAndConsonant);
  return at === -1 ? word.length : start + at + 2;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word;
  return /^[^aeiouy]*[aeiouy]s$/u.test(word) ? word : word.slice(0, -1);
}

function withoutPast(word: string, r1: number): string {
  if (word.endsWith('eed')) return word.length - 3 >= r1 ? word.slice(0, -1) : word;
  const ending = past.find((ending) => word.endsWith(ending));
  if (ending === undefined) return word;
  const rest = word.slice(0, -ending.length);
  if (!vowel.test(rest)) return word;
  if (/(?:at|bl|iz)$/u.test(rest)) return `${rest}e`;
  // `adding` is a form of `add`, not of `ad`.
  if (/(?<!^[aeo])(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/u.test(rest)) return rest.slice(0, -1);
  return rest.length <= r1 && shortEnd.test(rest) ? `${rest}e` : rest;
}

function replaceEnding(word: string, endings: readonly Ending[], from: number): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (found === undefined || word.length - found[0].length < from) return word;
  return word.slice(0, -found[0].length) + found[1];
}

function withoutLastLetter(word: string, r1: number, r2: number): string {
  const rest = word.slice(0, -1);
  if (word.endsWith('e')) return rest.length >= r2 || (rest.length >= r1 && !shortEnd.test(rest)) ? rest : word;
  return word.endsWith('ll') && rest.length >= r2 ? rest : word;
}
