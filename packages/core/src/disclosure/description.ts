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

/** Letters of Latin, Greek, Cyrillic, Japanese, Chinese and Korean, which are never a part of the character before them. */
const separate = /^[ -~\u00a1-\u02ff\u0370-\u0482\u048a-\u052f\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/;

/** Created only for texts that need it, because that takes some milliseconds. */
let segmenter: Intl.Segmenter | undefined;

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
  const end = joinPoints(points.slice(0, kept - 1)).length;
  // Not within an accented letter, a flag or a family.
  const cut = separate.test(points[kept - 1] ?? '') ? end : startOfCharacter(line, end);
  // A text should not end with a space, or with a joiner that has nothing to join.
  const shown = line.slice(0, cut).replace(/[ \u200c\u200d]+$/, '');
  return shown === '' ? '' : `${shown}…`;
}

/** Returns the start of the character, as a person sees it, that is at an index. */
function startOfCharacter(text: string, index: number): number {
  // React Native has no segmenter, and QuickJS no `Intl`.
  if (typeof Intl === 'undefined' || !('Segmenter' in Intl)) return index;
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text).containing(index)?.index ?? index;
}

function joinPoints(points: string | readonly string[]): string {
  return typeof points === 'string' ? points : points.join('');
}
