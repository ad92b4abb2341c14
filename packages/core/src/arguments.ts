// Puts a user's arguments into the body of a skill, once: what a value holds is never looked at again.

/** The arguments of one activation. */
export interface SkillArguments {
  /** All of it, as the user wrote it. */
  readonly text: string;
  /** The names that the skill declares for them, in order. */
  readonly names: readonly string[];
}

const placeholder = /\\?\$(?:ARGUMENTS(?:\[(\d{1,3})\])?|(\d{1,3})|([A-Za-z_][A-Za-z0-9_-]*))/g;

/**
 * Replaces `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0` and declared `$names` in a body; `\$0` stands for `$0` itself.
 *
 * A number without a value stays as it is, a declared name without one becomes nothing. Where a body has no placeholder,
 * the arguments follow it, so that they are not lost.
 *
 * @see https://code.claude.com/docs/en/skills
 */
export function substituteArguments(body: string, { text, names }: SkillArguments): string {
  const values = splitArguments(text);
  let used = false;
  const substituted = body.replace(placeholder, (whole, bracketed?: string, numbered?: string, name?: string) => {
    if (name !== undefined && !names.includes(name)) return whole;
    if (whole.startsWith('\\')) return whole.slice(1);
    const value = valueFor(whole, bracketed ?? numbered, name);
    if (value === undefined) return whole;
    used = true;
    return value;
  });
  return used || text.trim() === '' ? substituted : `${substituted}\n\nARGUMENTS: ${text}`;

  function valueFor(whole: string, number: string | undefined, name: string | undefined): string | undefined {
    if (whole === '$ARGUMENTS') return text;
    if (name !== undefined) return values[names.indexOf(name)] ?? '';
    return values[Number(number)];
  }
}

/** Splits at white space outside single and double quotes, as a shell does; a quote that is not closed ends with the text. */
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
