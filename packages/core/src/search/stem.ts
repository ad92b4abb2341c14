// Removes the endings of English words, so that `filling` finds `fill`, with the Snowball stemmer for English (Porter 2). Unlike
// there, words without a vowel lose a final `s`, too, because most are abbreviations such as `PRs`.

type Ending = readonly [ending: string, replacement: string];

const vowel = /[aeiouy]/u;
const shortEnd = /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouwxy])$/u;
const region = /[aeiouy][^aeiouy]/u;

const irregular: ReadonlyMap<string, string> = new Map(
  pairsOf('skis:ski skies:sky dying:die lying:lie tying:tie news:news analyses:analysi data:data'),
);

/** Beginnings after which endings may follow, although the first vowel and a consonant come earlier. */
const exceptions = ['gener', 'commun', 'arsen'];

const past = ['ed', 'ing', 'edly', 'ingly'];

const derived = pairsOf(
  'ization:ize ational:ate fulness:ful ousness:ous iveness:ive tional:tion biliti:ble lessli:less entli:ent ' +
    'ation:ate alism:al aliti:al ousli:ous iviti:ive fulli:ful enci:ence anci:ance abli:able izer:ize ' +
    'ator:ate alli:al logi:log bli:ble',
);

const adjectives = pairsOf('alize:al icate:ic iciti:ic ical:ic ness ful');

const residues = pairsOf('ement ance ence able ible ment ant ent ism ate iti ous ive ize al er ic');

/** Parses words and their replacements: the text after a colon, or nothing. */
function pairsOf(written: string): readonly Ending[] {
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
  const first = exceptions.find((start) => word.startsWith(start))?.length ?? regionAfter(word, 0);
  const second = regionAfter(word, first);
  let stemmed = withoutPast(withoutPlural(word), first);
  if (/.[^aeiouy]y$/u.test(stemmed)) stemmed = `${stemmed.slice(0, -1)}i`;
  stemmed = replaceEnding(stemmed, derived, first);
  if (/[cdeghkmnrt]li$/u.test(stemmed) && stemmed.length - 2 >= first) stemmed = stemmed.slice(0, -2);
  stemmed = replaceEnding(stemmed, adjectives, first);
  if (stemmed.endsWith('ative') && stemmed.length - 5 >= second) stemmed = stemmed.slice(0, -5);
  stemmed = replaceEnding(stemmed, residues, second);
  if (/[st]ion$/u.test(stemmed) && stemmed.length - 3 >= second) stemmed = stemmed.slice(0, -3);
  return withoutLastLetter(stemmed, first, second);
}

/** Returns where the part after the first vowel and the consonant behind it begins. */
function regionAfter(word: string, start: number): number {
  const at = word.slice(start).search(region);
  return at === -1 ? word.length : start + at + 2;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word;
  return /^[^aeiouy]*[aeiouy]s$/u.test(word) ? word : word.slice(0, -1);
}

function withoutPast(word: string, first: number): string {
  if (word.endsWith('eed')) return word.length - 3 >= first ? word.slice(0, -1) : word;
  const ending = past.find((ending) => word.endsWith(ending));
  if (ending === undefined) return word;
  const rest = word.slice(0, -ending.length);
  if (!vowel.test(rest)) return word;
  if (/(?:at|bl|iz)$/u.test(rest)) return `${rest}e`;
  // `adding` is a form of `add`, not of `ad`.
  if (/(?<!^[aeo])(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/u.test(rest)) return rest.slice(0, -1);
  return rest.length <= first && shortEnd.test(rest) ? `${rest}e` : rest;
}

function replaceEnding(word: string, endings: readonly Ending[], from: number): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (found === undefined || word.length - found[0].length < from) return word;
  return word.slice(0, -found[0].length) + found[1];
}

function withoutLastLetter(word: string, first: number, second: number): string {
  const rest = word.slice(0, -1);
  if (word.endsWith('e')) return rest.length >= second || (rest.length >= first && !shortEnd.test(rest)) ? rest : word;
  return word.endsWith('ll') && rest.length >= second ? rest : word;
}
