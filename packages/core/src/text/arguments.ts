// Puts a user's arguments into the body of a skill. Placeholders inside a value are not replaced again.

/** The arguments of one activation. */
export interface SkillArguments {
  /** All of it, as the user wrote it. */
  readonly text: string;
  /** The names that the skill declares for them, in order. */
  readonly names: readonly string[];
}

const placeholder = /\\?\$(?:ARGUMENTS(?![\p{L}\p{N}_])(?:\[(\d{1,3})\])?|(\d{1,3})(?!\d)|([\p{L}_][\p{L}\p{N}_-]*))/gu;

/**
 * Replaces `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0` and declared `$names` in a body; `\$0` is `$0` itself.
 *
 * A number without a value stays as it is; a declared name without a value becomes empty. If a body has no placeholder, the
 * arguments follow it, so that they are not lost. Values add up to a million characters; later placeholders stay as they are.
 *
 * @see https://code.claude.com/docs/en/skills
 */
export function substituteArguments(body: string, { text, names }: SkillArguments): string {
  const values = splitArguments(text);
  let room = 1_000_000;
  let used = false;
  const substituted = body.replace(placeholder, (whole, bracketed?: string, numbered?: string, word?: string) => {
    const name = word === undefined ? undefined : findDeclared(word, names);
    if (word !== undefined && name === undefined) return whole;
    if (whole.startsWith('\\')) return whole.slice(1);
    const value = valueFor(bracketed ?? numbered, name);
    if (value === undefined || value.length > room) return whole;
    used = true;
    room -= value.length;
    return word === undefined || name === undefined ? value : value + word.slice(name.length);
  });
  return used ? substituted : appendArguments(substituted, text);

  function valueFor(number: string | undefined, name: string | undefined): string | undefined {
    if (name !== undefined) return values[names.indexOf(name)] ?? '';
    return number === undefined ? text : values[Number(number)];
  }
}

/** Appends arguments to a body that has no placeholder for them. */
export function appendArguments(body: string, text: string): string {
  return text.trim() === '' ? body : `${body}\n\nARGUMENTS: ${text}`;
}

/** Finds the declared name that a word is, or begins with before a hyphen: `who` in `$who-like`. */
function findDeclared(word: string, names: readonly string[]): string | undefined {
  const ends = [word.length, ...[...word.matchAll(/-/g)].map(({ index }) => index).reverse()];
  const declared = new Set(names);
  return ends.map((end) => word.slice(0, end)).find((start) => declared.has(start));
}

/** Splits at white space outside single and double quotes, as a shell does; an unclosed quote ends with the text. */
export function splitArguments(text: string): readonly string[] {
  const values: string[] = [];
  let value: string | undefined;
  let quote = '';
  for (const character of text) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else value = (value ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      value ??= '';
    } else if (/\s/.test(character)) {
      if (value !== undefined) values.push(value);
      value = undefined;
    } else {
      value = (value ?? '') + character;
    }
  }
  if (value !== undefined) values.push(value);
  return values;
}
