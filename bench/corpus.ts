// Reads the corpus of public skills, which is kept beside the repository and never becomes a part of it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** One public `SKILL.md`. */
export interface WildSkill {
  readonly id: string;
  readonly collection: string;
  /** Name of its directory in the place that it comes from. */
  readonly directory: string;
  readonly content: string;
}

const repository = join(import.meta.dirname, '..');
const given = process.env.SKILLFUL_SHARED;
/** The directories that may be the one beside the repository. */
export const places: readonly string[] =
  given === undefined ? [join(repository, '../shared'), join(repository, '../../shared')] : [given];

/** Reads every file of the corpus, or says loudly on standard error that it is absent. */
export function readCorpus(): readonly WildSkill[] | undefined {
  const files = places.map((place) => join(place, 'corpus/wild-10k.jsonl.gz'));
  const path = files.find((file) => existsSync(file));
  if (path === undefined) {
    console.error('THE CORPUS OF PUBLIC SKILLS IS NOT HERE, so nothing is measured on real files.');
    console.error(`Looked for ${files.join(', ')}.`);
    console.error('Set SKILLFUL_SHARED to the directory that contains corpus/wild-10k.jsonl.gz.');
    return undefined;
  }
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WildSkill);
}
