// A description on one line, and how much of it is shown where only some of its characters may be.

/** A description as a plan cuts it. */
export interface PlanLine {
  /** The description on one line, cut at the entry limit; empty where the name stands alone. */
  readonly text: string;
  /** The same in code points, where that makes a difference. */
  readonly characters: string | readonly string[];
  /** Whether the entry limit has cut it. */
  readonly isLimited: boolean;
  /** Whether it is shown whatever the length. */
  readonly isPinned: boolean;
}

/** Makes the line of a text, cut at a limit in code points. */
export function createLine(text: string, limit: number, isPinned: boolean): PlanLine {
  const points = splitCharacters(text);
  if (isPinned || points.length <= limit) return { text, characters: points, isLimited: false, isPinned };
  const characters = points.slice(0, limit);
  return { text: joinCharacters(characters), characters, isLimited: true, isPinned };
}

/** A text whose code points can be counted and sliced: itself where each is one unit long. */
function splitCharacters(text: string): string | readonly string[] {
  return /[\ud800-\udbff]/.test(text) ? [...text] : text;
}

function joinCharacters(characters: string | readonly string[]): string {
  return typeof characters === 'string' ? characters : characters.join('');
}

/** Below this many characters a description says nothing, and the name stands alone. */
export const shortestDescription = 16;

/** Tells what does not stand at the end of a text: a blank, and a joiner that has nothing to join. */
function isLoose(character: string | undefined): boolean {
  return character === ' ' || character === '\u200c' || character === '\u200d';
}

/** Shows at most `length` characters of a line, ended by `…` if it was cut. */
export function cutLine({ text, characters, isLimited, isPinned }: PlanLine, length: number): string {
  if (isPinned || (characters.length <= length && !isLimited)) return text;
  const kept = Math.min(length, characters.length);
  if (kept < shortestDescription) return '';
  let end = kept - 1;
  while (isLoose(characters[end - 1])) end--;
  return end === 0 ? '' : `${joinCharacters(characters.slice(0, end))}…`;
}
