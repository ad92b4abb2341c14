// Splits `allowed-tools` into tokens: spaces and commas separate them, but not inside parentheses.

/** The tokens of an `allowed-tools` text, or what makes them ambiguous. */
export type AllowedTools =
  | { readonly tools: readonly string[]; readonly commas: boolean }
  | { readonly problem: string };

/**
 * Splits the text at spaces and commas outside parentheses: `Bash(git add *), Read` has two tokens.
 * A text with unbalanced parentheses, or with a bracket or a quotation mark where a tool should begin, has none.
 */
export function splitAllowedTools(text: string): AllowedTools {
  const tools: string[] = [];
  let commas = false;
  let depth = 0;
  let token = '';
  for (const character of text) {
    // In `Bash (git:*)`, the tool would count without its pattern, and so allow everything.
    if (token === '' && isOpening(character)) return { problem: `has \`${character}\` where a tool should begin` };
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return { problem: 'closes a parenthesis that was not opened' };
    if (depth === 0 && /[\s,]/.test(character)) {
      if (character === ',') commas = true;
      if (token !== '') tools.push(token);
      token = '';
    } else {
      token += character;
    }
  }
  if (depth > 0) return { problem: 'does not close a parenthesis' };
  if (token !== '') tools.push(token);
  return { tools, commas };
}

/** Checks for an opening bracket or quote. */
function isOpening(character: string): boolean {
  return /[\p{Ps}\p{Pi}"'`]/u.test(character);
}
