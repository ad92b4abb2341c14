// Finds a character that Skillful accepts, but Python's YAML refuses or reads differently.

const quoted = String.raw`(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')`;

/** Where tabs are allowed: in a block, in quotes around a whole key or value, and in a comment. */
const tabsAllowed = new RegExp(
  [
    String.raw`^( *)(?! )(?:[^\n\t#]*?[:-] +)?[|>][-+\d]*(?: +#.*)?\n(?:(?:\1 .*| *)(?:\n|$))*`,
    String.raw`(?=["'])(?<=(?:[:-] *(?:#.*)?\n|[-:,[{]) *)${quoted}(?= *(?:[,\]}#]|$))`,
    `(?=["'])(?<=^ *|[-,{] *)${quoted}(?= *:)`,
    '(?<=^| )#.*',
  ].join('|'),
  'gm',
);

const foreign = /[\t\u0080-\u009f\u2028\u2029]|^\ufeff/;

/** Finds a tab between words, a line end that editors do not show, a control character beyond ASCII, or a byte order mark. */
export function findForeignCharacter(text: string): { readonly index: number; readonly character: string } | undefined {
  if (!foreign.test(text)) return undefined;
  const match = foreign.exec(text.replace(tabsAllowed, (part) => part.replaceAll('\t', ' ')));
  return match === null ? undefined : { index: match.index, character: match[0] };
}
