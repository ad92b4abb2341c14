// Keeps the beginning and the end of a text that is too long.

/** Cuts the middle out of a text, in UTF-16 units. */
export function keepEnds(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n[…]\n${text.slice(text.length - half)}`;
}
