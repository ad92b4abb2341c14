// Puts a user's arguments and the skill's directory into the body of a skill. Placeholders inside a value are not replaced again.

/** What one activation puts into the body of a skill. */
export interface SkillArguments {
  /** The whole text that the user wrote. */
  readonly text: string;
  /** Whether the skill takes arguments. Otherwise, `$1` is part of an example. @default true */
  readonly takesArguments?: boolean;
  /** The directory of the skill. @default its placeholders are left unchanged */
  readonly directory?: string;
  /** The argument names that the skill declares, in order. */
  readonly names: readonly string[];
  /** Whether `text` is only a placeholder, because the message with the arguments is gone. @default false */
  readonly isForgotten?: boolean;
}

/**
 * Replaces the placeholders in a body. `${CLAUDE_SKILL_DIR}` and `{baseDir}`, as authors for some clients write them, become the
 * skill's directory.
 *
 * - `$ARGUMENTS` is the whole text, `$0` and `$ARGUMENTS[0]` its first value, and `$name` the value of a declared name.
 * - `\$0` becomes `$0` itself, and a price such as `$0.05` is not a placeholder.
 * - Without a value, a number is left unchanged, and a declared name becomes empty.
 * - Without a placeholder in the body, the arguments are appended, so that they are not lost.
 * - Forgotten arguments replace `$ARGUMENTS` and each declared name as a whole; numbers are left unchanged.
 * - Once the values have a million characters, further placeholders are left unchanged.
 *
 * @param wait gives other work a turn if needed
 * @see https://code.claude.com/docs/en/skills
 */
export async function substituteArguments(
  body: string,
  { text, names, isForgotten = false, takesArguments = true, directory }: SkillArguments,
  wait: () => Promise<void> | undefined = () => undefined,
): Promise<string> {
  const values = isForgotten ? [] : splitArguments(text, Math.max(mostNumbered, names.length));
  const withoutValue = isForgotten ? text : '';
  // Reversed, so that the first of two equal names counts.
  const indexes = new Map([...names.entries()].reverse().map(([index, name]) => [name, index]));
  // There are few lengths, because all names together fit into a frontmatter.
  const lengths = [...new Set(names.map((name) => name.length))].sort((a, b) => b - a);
  let room = 1_000_000;
  let used = false;

  /** Finds the longest declared name that equals a word or its beginning before a hyphen: `who` in `$who-like`. */
  function findDeclared(word: string): string | undefined {
    const isEnd = (length: number): boolean => length === word.length || word[length] === '-';
    const found = lengths.find((length) => isEnd(length) && indexes.has(word.slice(0, length)));
    return found === undefined ? undefined : word.slice(0, found);
  }

  /** Takes the room for a value; `undefined` if there is none. */
  function takeRoom(value: string | undefined): string | undefined {
    if (value === undefined || value.length > room) return undefined;
    room -= value.length;
    return value;
  }

  const placeholder =
    /(\$\{CLAUDE_SKILL_DIR\}|(?<![{$])\{baseDir\})|\\?\$(?:ARGUMENTS(?![\p{L}\p{N}_])(?:\[(\d{1,3})\])?|(\d{1,3})(?![.,]?\d)|([\p{L}_][\p{L}\p{N}_-]*))/gu;
  const substitute = (part: string): string =>
    part.replace(placeholder, (whole, place?: string, bracketed?: string, numbered?: string, word?: string) => {
      if (place !== undefined) return takeRoom(directory) ?? whole;
      const name = word === undefined ? undefined : findDeclared(word);
      if (!takesArguments || (word !== undefined && name === undefined)) return whole;
      if (whole.startsWith('\\')) return whole.slice(1);
      const value = takeRoom(name === undefined ? numberedValue(bracketed ?? numbered) : declaredValue(name));
      used ||= value !== undefined;
      return value === undefined ? whole : value + (word?.slice(name?.length) ?? '');
    });
  let substituted = '';
  for (let start = 0; start < body.length; ) {
    const end = endOfPart(body, start + partLength);
    substituted += substitute(body.slice(start, end));
    start = end;
    const waiting = wait();
    if (waiting !== undefined) await waiting;
  }
  return used ? substituted : appendArguments(substituted, text);

  function declaredValue(name: string): string {
    return values[indexes.get(name) ?? 0] ?? withoutValue;
  }

  function numberedValue(number: string | undefined): string | undefined {
    return number === undefined ? text : values[Number(number)];
  }
}

/** Numbered arguments, because a number has at most three digits. */
const mostNumbered = 1_000;

/** Characters of a body between two turns for other work. */
const partLength = 32_768;

/** Returns an end that cuts no placeholder: just before a dollar sign or the backslash in front of it. */
function endOfPart(body: string, from: number): number {
  const dollar = body.indexOf('$', from);
  if (dollar === -1) return body.length;
  return body[dollar - 1] === '\\' ? dollar - 1 : dollar;
}

/** Appends arguments to a body that has no placeholder for them. */
function appendArguments(body: string, text: string): string {
  return text.trim() === '' ? body : `${body}\n\nARGUMENTS: ${text}`;
}

/**
 * Splits a text into its first values, as a shell does: at white space outside single and double quotes. At the start of a value,
 * quotes may also be “curly”, as phones write them, „low“ or 「angular」. An unclosed quote ends with the text.
 */
export function splitArguments(text: string, most: number = Infinity): readonly string[] {
  const values: string[] = [];
  let value: string | undefined;
  const pieces = /"([^"]*)"?|'([^']*)'?|(?<!\S)[“„]([^“”]*)[“”]?|(?<!\S)「([^」]*)」?|([^\s"']+)|\s+/g;
  for (const [, ...parts] of text.matchAll(pieces)) {
    const piece = parts.find((part) => part !== undefined);
    if (piece !== undefined) {
      value = (value ?? '') + piece;
      continue;
    }
    if (value !== undefined) values.push(value);
    if (values.length >= most) return values;
    value = undefined;
  }
  if (value !== undefined) values.push(value);
  return values;
}

/** Joins values so that `splitArguments` returns them. Empty ones at the end are left out. */
export function joinArguments(values: readonly string[]): string {
  const last = values.findLastIndex((value) => value !== '');
  const quote = (value: string): string => {
    if (/^[^\s"'“„「]+$/u.test(value)) return value;
    return `"${value.split('"').join(`"'"'"`)}"`;
  };
  return values
    .slice(0, last + 1)
    .map(quote)
    .join(' ');
}
