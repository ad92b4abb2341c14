// Finds characters that Skillful reads in frontmatter, and that the YAML of Python refuses or reads in another way.

/** A block with its lines, text in quotes at the beginning of a key or a value, or a comment: a tab is allowed there. */
const tabsAllowed =
  /^( *)(?! )(?:[^\n#]*?[:-] +)?[|>][-+\d]*(?: +#.*)?\n(?:(?:\1 .*| *)(?:\n|$))*|(?=["'])(?<=^ *|[-:,[{] *)(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')|(?<=^| )#.*/gm;

const foreign = /[\t\u0080-\u009f\u2028\u2029]/;

/** Finds a tab that separates words, a line end that no editor shows, or a control character beyond ASCII. */
export function findForeignCharacter(text: string): { readonly index: number; readonly character: string } | undefined {
  if (!foreign.test(text)) return undefined;
  const match = foreign.exec(text.replace(tabsAllowed, (part) => part.replaceAll('\t', ' ')));
  return match === null ? undefined : { index: match.index, character: match[0] };
}
