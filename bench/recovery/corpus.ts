// Reads the corpus of public skills and says which of its files a human could use.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** One public `SKILL.md`. */
export interface WildSkill {
  readonly id: string;
  readonly collection: string;
  /** Name of the directory that it stood in. */
  readonly directory: string;
  readonly content: string;
}

const path =
  process.env.SKILLFUL_CORPUS ?? fileURLToPath(new URL('../../../shared/corpus/wild-10k.jsonl.gz', import.meta.url));

/** Reads the corpus, or ends the program with words where there is none. */
export function readCorpus(): readonly WildSkill[] {
  if (!existsSync(path)) {
    console.error('bench/recovery: the corpus of public skills is NOT HERE, so nothing was measured.');
    console.error('Set SKILLFUL_CORPUS to a .jsonl.gz of { id, collection, directory, content } lines.');
    process.exit(1);
  }
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WildSkill);
}

const label = /^[ \t>]*["'*_-]*[ \t]*(?:description|描述|概述)["'*_]*[ \t]*[:：][ \t*_]*(.*)$/iu;

/**
 * Tells whether a human finds a description: near the start of the file, before a first heading of the body, a line is
 * labelled as one and text follows the label. This knows nothing of fences or YAML, so that it favours no reader.
 * A name is never missing, because each file had a directory.
 */
export function isDescribed(content: string): boolean {
  const lines = content
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .slice(0, 120);
  const last = findEnd(lines);
  for (const [index, line] of lines.slice(0, last).entries()) {
    const text = label.exec(line)?.[1]?.trim();
    if (text === undefined) continue;
    const value = text.replace(/^(?:[|>][-+\d]*|["'])\s*|["']$/gu, '').trim();
    if (/^\[?TODO\b/.test(value)) return false;
    if (value !== '' && value !== '~' && value !== 'null') return true;
    const next = lines.slice(index + 1).find((below) => below.trim() !== '');
    const block = /^[|>]/.test(text);
    if (next !== undefined && /^[ \t]+\S/.test(next) && (block || !/^\s*(?:-|[\w-]+:)/.test(next))) return true;
  }
  return false;
}

/** Index of the second line of hyphens, behind which the labels of a body would begin. */
function findEnd(lines: readonly string[]): number {
  const fences = lines.flatMap((line, index) => (/^---(?:\s|#|`|$)/.test(line) ? [index] : []));
  const first = fences[0];
  const second = fences[1];
  if (first === undefined || first > 20) return Math.min(lines.length, 20);
  return second === undefined ? Math.min(lines.length, 60) : second;
}
