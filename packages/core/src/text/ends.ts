// Keeps the beginning and the end of a text that is too long.

import { endOfCharacter } from './page.ts';

/** Cuts the middle out of a text, in UTF-16 units, between whole characters. */
export function keepEnds(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  const rest = text.length - half;
  const end = endOfCharacter(text, rest) === rest ? rest : rest + 1;
  return `${text.slice(0, endOfCharacter(text, half))}\n[…]\n${text.slice(end)}`;
}
