// Cuts a description on one line to a number of characters.

/** A description that a plan can cut. */
export interface PlanLine {
  /** The description on one line, cut at the entry limit; empty if only the name is shown. */
  readonly text: string;
  /** The text as code points if any of them has two units, otherwise as a string. */
  readonly characters: string | readonly string[];
  /** Whether the entry limit has cut the text. */
  readonly isLimited: boolean;
  /** Whether the text is always shown whole. */
  readonly isPinned: boolean;
}

/** Creates the line of a text, cut at a limit in code points. */
export function createLine(text: string, limit: number, isPinned: boolean): PlanLine {
  // Code points can be counted and sliced in the text itself if each is one unit long.
  const points = /[\ud800-\udbff]/.test(text) ? [...text] : text;
  if (isPinned || points.length <= limit) return { text, characters: points, isLimited: false, isPinned };
  const characters = points.slice(0, limit);
  return { text: joinCharacters(characters), characters, isLimited: true, isPinned };
}

function joinCharacters(characters: string | readonly string[]): string {
  return typeof characters === 'string' ? characters : characters.join('');
}

/** A description that is cut to less than this is useless, so only the name is shown. */
export const shortestDescription = 16;

/** Checks whether a text should not end with a character: a space, or a joiner that has nothing to join. */
function isLoose(character: string | undefined): boolean {
  return character === ' ' || character === '\u200c' || character === '\u200d';
}

/** Returns at most `length` characters of a line, with `…` at the end if it was cut. */
export function cutLine({ text, characters, isLimited, isPinned }: PlanLine, length: number): string {
  if (isPinned || (characters.length <= length && !isLimited)) return text;
  const kept = Math.min(length, characters.length);
  if (kept < shortestDescription) return '';
  let end = kept - 1;
  while (isLoose(characters[end - 1])) end--;
  return `${joinCharacters(characters.slice(0, end))}…`;
}
