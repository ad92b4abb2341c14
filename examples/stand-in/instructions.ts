// Follows Markdown instructions: which file they send the reader to, and what they boil down to.

import { pickBest, sharedStems } from './words.ts';

/** Returns the file that the instructions say to read for this request, or the first one if several fit equally well. */
export function findPointer(body: string, request: string): string | undefined {
  const pointers = body
    .split('\n')
    .flatMap((line) =>
      [...line.matchAll(/([^.]*)\bread `([^`]+)`/gi)].map(([, reason = '', path = '']) => ({ reason, path })),
    );
  const fitting = pickBest(pointers, ({ reason, path }) => sharedStems(request, `${reason} ${path}`).length);
  return (fitting ?? pointers[0])?.path;
}

/** Returns the text of the first heading. */
export function findHeading(markdown: string): string {
  return /^#+ +(.+)$/m.exec(markdown)?.[1] ?? '(no heading)';
}

/** Returns the first sentence of each of the first points of a numbered list, or of a bulleted one if there is none. */
export function findPoints(markdown: string, limit: number): string[] {
  const numbered = [...markdown.matchAll(/^\d+\. +(.+)$/gm)];
  const points = numbered.length > 0 ? numbered : [...markdown.matchAll(/^[-*] +(.+)$/gm)];
  return points.slice(0, limit).map(([, point = '']) => /^.*?[.?!](?=\s|$)/.exec(point)?.[0] ?? point);
}
