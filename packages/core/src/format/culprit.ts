// Finds the character that makes a text invalid YAML, because its place helps a person more than where a parser gave up.

/** What begins something in YAML, so that text that begins with it has to be quoted. */
const startsYaml = /^(?:[[\]{}&*!|>%@`,#]|[-?:](?: |$))/;

/** The characters that may follow a backslash between double quotes. */
const escapes = '0abtnvfre "/\\N_LPxuU\t\n';

/** Returns the index at which a text ceases to be one value: its first character, or a colon. */
export function findUnquoted(text: string): number {
  return startsYaml.test(text) ? 0 : Math.max(0, text.search(/:(?:\s|$)/));
}

/**
 * Returns the index at which the quotes of a value go wrong: the quote that ends it too early, a backslash that escapes nothing,
 * a line that is not indented, or else the quote that nothing closes.
 */
export function findMisquoted(text: string): number {
  const isDouble = text.startsWith('"');
  const [quoted] = (isDouble ? /^"(?:\\.|[^"\\])*"/s : /^'(?:''|[^'])*'/).exec(text) ?? [];
  if (quoted === undefined) return 0;
  if (quoted.length < text.trimEnd().length) return quoted.length - 1;
  const odd = [...quoted.matchAll(/\\(.)|(?<=\n)\S/gs)].find(
    ([, escaped]) => escaped === undefined || (isDouble && !escapes.includes(escaped)),
  );
  return odd?.index ?? 0;
}

/** Returns the index of the innermost bracket that is not closed, or undefined. */
export function findOpenBracket(text: string): number | undefined {
  const open: { readonly closing: string; readonly index: number }[] = [];
  // Quoted texts and comments, whose brackets mean nothing, or one bracket.
  for (const { 0: mark, index } of text.matchAll(/"(?:\\.|[^"\\\n])*"|'[^'\n]*'|(?:^|\s)#.*|[[\]{}]/gm)) {
    if (mark === '[' || mark === '{') {
      open.push({ closing: mark === '[' ? ']' : '}', index });
    } else if (mark === ']' || mark === '}') {
      if (open.at(-1)?.closing !== mark) break;
      open.pop();
    }
  }
  return open.at(-1)?.index;
}

/** Returns the index of what makes a text invalid, of which a parser said something at an index. */
export function findCulprit(text: string, said: string, index: number): number {
  if (said.startsWith('Missing closing')) {
    const opening = said.includes('"') ? text.search(/"(?:\\.|[^"\\])*$/s) : text.search(/'(?:''|[^'])*$/);
    return opening < 0 ? index : opening;
  }
  if (said.startsWith('Flow ')) return findOpenBracket(text) ?? index;
  if (/^(?:Nested mappings|Block collections) are not allowed/.test(said)) {
    return index + Math.max(0, text.slice(index).search(/:(?:\s|$)/));
  }
  // A quote that ends a value too early, or else what comes after the indentation.
  const before = text.slice(0, index).trimEnd();
  if (said.startsWith('Unexpected scalar') && /["']$/.test(before)) return before.length - 1;
  return index + (/^ */.exec(text.slice(index))?.[0].length ?? 0);
}
