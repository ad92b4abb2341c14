// Describes a skill on one line: what it does and when to use it, within a limit.

import { maxDescriptionLength } from '../skill/limits.ts';
import type { Skill } from '../skill/skill.ts';
import { oneLine } from '../text/neutral.ts';

/** What a model may read about a skill before it is activated. */
export interface Description {
  /** The description and `when_to_use` on one line, cut at the limit. */
  readonly line: string;
  /** The code points of the line: the line itself if each of them has one unit. */
  readonly points: string | readonly string[];
  /** Whether the limit has cut the line. */
  readonly isLimited: boolean;
}

const limitWithHint = 1_536;

/** A description that is cut to less than this is useless. */
export const shortestDescription = 16;

/** A text should not end with a space, or with a joiner that has nothing to join. */
const loose: ReadonlySet<string | undefined> = new Set([' ', '\u200c', '\u200d']);

/** The least code point that may be a part of the character before it: an accent, a vowel, a skin tone, a joiner. */
const firstPart = '\u0300';
const part = /[\p{M}\p{Emoji_Modifier}\u200d\u0e33\u0eb3\u1160-\u11ff]/u;

/** Reads the description of a skill. The limit is in code points. @default 1,024, with `when_to_use` 1,536 */
export function describeSkill({ description, properties: { whenToUse } }: Skill, limit?: number): Description {
  const text = oneLine(whenToUse === undefined ? description : `${description} ${whenToUse}`);
  const all = /[\ud800-\udbff]/.test(text) ? [...text] : text;
  const most = limit ?? (whenToUse === undefined ? maxDescriptionLength : limitWithHint);
  const isLimited = all.length > most;
  const points = isLimited ? all.slice(0, most) : all;
  return { line: joinPoints(points), points, isLimited };
}

/**
 * Returns at most `length` code points of a description, with `…` at the end if it was cut, or nothing if that is too little. Cuts
 * between whole characters.
 */
export function cutDescription({ line, points, isLimited }: Description, length: number = points.length): string {
  if (points.length <= length && !isLimited) return line;
  const kept = Math.min(length, points.length);
  if (kept < shortestDescription) return '';
  let end = kept - 1;
  while (end > 0 && (loose.has(points[end - 1]) || isPart(points[end]))) end--;
  return `${joinPoints(points.slice(0, end))}…`;
}

function isPart(point = ''): boolean {
  return point >= firstPart && part.test(point);
}

function joinPoints(points: string | readonly string[]): string {
  return typeof points === 'string' ? points : points.join('');
}
