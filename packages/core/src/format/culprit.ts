// Finds the character that makes a text invalid YAML, because that helps an author more than the place where a parser gave up.

/** Beginnings that have a meaning in YAML, so that text with one of them must be quoted. */
const startsYaml = /^(?:[[\]{}&*!|>%@`,#]|[-?:](?: |$))/;

/** The characters that may follow a backslash in double quotes. */
const escapes = '0abtnvfre "/\\N_LPxuU\t\n';

/** Returns the index at which a text without quotes stops being one value: its first character, a colon, or an unindented line. */
export function findUnquoted(text: string): number {
  if (startsYaml.test(text)) return 0;
  const colon = text.search(/:(?:\s|$)/);
  return colon >= 0 ? colon : Math.max(0, text.search(/(?<=\n)[^\s#]/));
}

/**
 * Returns the index of the mistake in a quoted value: a quote that ends it too early, a backslash that escapes nothing, a line
 * without indentation, or else the opening quote, which is never closed.
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
  // Matches quoted texts and comments as a whole, because their brackets mean nothing, and single brackets.
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

/** Returns the index of the actual mistake, given the message and the index that a parser reported. */
export function findCulprit(text: string, said: string, index: number): number {
  if (said.startsWith('Missing closing')) {
    const opening = said.includes('"') ? text.search(/"(?:\\.|[^"\\])*$/s) : text.search(/'(?:''|[^'])*$/);
    return opening < 0 ? index : opening;
  }
  if (said.startsWith('Flow ')) return findOpenBracket(text) ?? index;
  if (/^(?:Nested mappings|Block collections) are not allowed/.test(said)) {
    return index + Math.max(0, text.slice(index).search(/:(?:\s|$)/));
  }
  // A quote that ends a value too early, or else the first character after the indentation.
  const before = text.slice(0, index).trimEnd();
  if (said.startsWith('Unexpected scalar') && /["']$/.test(before)) return before.length - 1;
  return index + (/^ */.exec(text.slice(index))?.[0].length ?? 0);
}
