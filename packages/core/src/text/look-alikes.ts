// Gives names that look the same the same key, so that no skill can pose as another.

/**
 * Characters that look like a lower-case letter, a digit, a hyphen, a slash or a colon, either in lower or in upper case.
 *
 * From `confusables.txt` of Unicode 17, without characters that NFKC or a change of case already turns into the plain one.
 *
 * @see https://www.unicode.org/reports/tr39/#Confusable_Detection
 */
const lookAlikes = [
  ['-', '˗\u{6d4}‐‒–⁃−➖ⲻ'],
  ['/', '᜵⁁⁄∕∖╱⟋⟍⧵⧸⧹ⳇ㇓㇔𝈏𝈺𝈻'],
  ['2', 'ƨϩᒿꙅꛯꝛ'],
  ['3', 'ȝɜʒзӡ३૩ⲝⳅⳍꝫ𑣊𖼻𝈆'],
  ['4', 'ꮞ𑣏'],
  ['5', '𑣛'],
  ['6', 'бⳓⳝꮾ𑣕'],
  ['7', '𐓺𑣆𝈒'],
  ['8', 'ȣ৪੪𐌚\u{1e8cb}'],
  ['9', '৭੧୨൭ⳋꝯ𑣌𑣖'],
  [':', 'ː˸։\u{5c3}\u{703}\u{704}᛬᠃᠉⁚∶ꓽ꞉𑷙'],
  ['a', 'ɑαаᗅꓮꭺ𐊠𖽀⍺'],
  ['b', 'ƅβвьᏼᑲᖯᗷⲃꓐꞵꮟ𐊂𐊡𐌁𖻑'],
  ['c', 'сငၚᴄⲥꓚꮯ𐊢𐌂𐐽𐔜𑣩𑣲🝌'],
  ['d', 'ԁᑯᗞᗪꓒꓓꭰꮷ'],
  ['e', 'εеҽⴹꓰꬲꭼ𐊆𑣎℮⋿'],
  ['f', 'ƒϝքᖴẝꓝꞙꬵ𐊇𐊥𐔥𑣂𝈓'],
  ['g', 'ƍɡԍցᏻᶃꓖꮐ'],
  ['h', 'ηнһհᕼⲏꓧꮋꮒ𐋏'],
  ['i', 'ɩɪιіւⲓꙇꭵ𑣃⍳'],
  ['j', 'ʝϳјᒍꓙꭻ'],
  ['k', 'κкᛕⲕꓗꮶ𐔘'],
  ['l', 'ǀӏ\u{5d5}\u{5df}\u{627}\u{661}\u{6f1}\u{7ca}ᒪᛁⳑⵏꓡꓲꮮ𐊊𐌉𐌠𐑃𐔦𑣒𑷚𑷡𖻅𖼖𖼨\u{1e8c7}⏽𝈪∣'],
  ['m', 'μϻмᗰᛖⲙꓟꮇ𐊰𐌑𑜀𑣣'],
  ['n', 'ոռⲛꓠ𐔓'],
  ['o', 'οσϭоօ\u{5e1}\u{647}\u{665}\u{6be}\u{6c1}\u{6d5}\u{6f5}\u{7c0}०০੦૦ଠ୦௦౦೦ഠ൦๐໐ဝ၀ჿዐ០ᴏᴑⲟⵔ〇ꓳꬽ𐊒𐊫𐐬𐓪𐔖𑓐𑣈𑣗𑣠𑷠'],
  ['p', 'þƿρϸрᑭⲣⳏꓑꮲ𐊕⍴'],
  ['q', 'ԛգզⵕ'],
  ['r', 'ʀгᖇᴦⲅꓣꭇꭈꭱꮁꮢ𐓜𖼵𝈖'],
  ['s', 'ƽѕտടꓢꜱꮥꮪ𐊖𐑈𑣁𖼺'],
  ['t', 'τтⲧꓔꭲ𐊗𐊱𐌕𖼊🝨⊤⟙'],
  ['u', 'ʋυսሀᑌᴜꓴꞟꭎꭒ𐓶𑣘𖽂∪⋃'],
  ['v', 'νѵ\u{5d8}\u{667}\u{6f7}ᐯᴠⴸꓦꛟꮩ𐔝𑜆𑣀𖼈𝈍∨⋁'],
  ['w', 'ɯшѡԝաᴡⲽꓪꮃꮤ𑜊𑜎𑜏𑣦𑣯'],
  ['x', 'χхᕁᕽᚷⲭⵝꓫꭓ𐊐𐊴𐌗𐌢𐔧𑣬᙭╳᙮×⤫⤬⨯'],
  ['y', 'ɣʏγуүყᶌỿⲩꓬꭚꭹꮍ𐊲𑣜𖽃'],
  ['z', 'ζᴢꓜꮓ𐋵𑣄𑣉𑣥'],
] as const;

/**
 * Recognises a text of only ASCII, Chinese characters and Hangul: none of them is invisible or looks like another. Most names
 * pass, which saves building expressions that take longer than reading a skill.
 */
export function isPlainScript(text: string): boolean {
  return /^[ -~\u4e00-\u9fff\uac00-\ud7a3]*$/.test(text);
}

/** Returns the runs of letters and digits of a text. */
export function wordsIn(text: string): readonly string[] {
  // For plain scripts, the first expression is equivalent; building the second one takes longer than reading a skill.
  return text.match(isPlainScript(text) ? /[a-z0-9\u4e00-\u9fff\uac00-\ud7a3]+/gi : /[\p{L}\p{N}]+/gu) ?? [];
}

let plainForms: ReadonlyMap<string, string> | undefined;

/**
 * Returns a key that texts share if they look the same: without regard to case, compatibility forms, invisible characters,
 * repeated white space, and letters of other alphabets that look Latin. ASCII is only lower-cased, so `l` and `1` differ.
 */
export function lookKey(text: string): string {
  if (isPlainScript(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim();
  // Upper case first, because some letters have two lower-case forms.
  const folded = text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  // Characters that renderers leave out, the Braille cell without dots, and a combining dot above a letter with a dot.
  const unseen = /[\p{Default_Ignorable_Code_Point}\u2800]|(?<=[ij])\u0307/gu;
  const seen = folded.replace(unseen, '').replace(/\s+/gu, ' ').trim();
  return Array.from(seen, plainForm).join('');
}

/**
 * Recognises a mark or a sign beyond ASCII between Latin letters or digits, such as the visarga, because no list of characters
 * that look like a colon or a slash is complete. A minus does not count, because it looks like a hyphen. Two Japanese strokes count
 * as signs between Latin letters only.
 */
export function hasSeparatorLike(text: string): boolean {
  if (isPlainScript(text)) return false;
  return /(?<=[\p{Script=Latin}\d] ?)(?:(?![ -~\u2212])[\p{Po}\p{Sm}\p{Mc}]|[\u3033\u30ce])(?= ?[\p{Script=Latin}\d])/u.test(
    text,
  );
}

/** Recognises a letter of another alphabet that looks like a Latin one. */
export function isForeignLookAlike(character: string): boolean {
  return plainForm(character) !== character && /[\p{L}\p{N}]/u.test(character) && !/\p{Script=Latin}/u.test(character);
}

/** Builds the map at first use, because most names are ASCII. */
function plainForm(character: string): string {
  plainForms ??= new Map(lookAlikes.flatMap(([plain, alike]) => [...alike].map((each) => [each, plain])));
  return plainForms.get(character) ?? character;
}
