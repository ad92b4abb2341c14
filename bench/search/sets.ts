// Reads the queries and what they search, which are kept beside the repository and never become a part of it.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { places } from '../corpus.ts';

export interface Described {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

export interface Query {
  readonly set: string;
  readonly query: string;
  readonly relevant: readonly string[];
  readonly descriptionWithout?: string;
}

/** Queries, and the documents that they are put to. */
export interface QuerySet {
  readonly name: string;
  readonly about: string;
  readonly documents: 'all' | 'cut' | 'tools';
  readonly queries: readonly Query[];
}

export interface Sets {
  readonly documents: Readonly<Record<QuerySet['documents'], readonly Described[]>>;
  readonly sets: readonly QuerySet[];
}

/** Reads the sets, at most `most` queries of each, or says loudly on standard error that they are absent. */
export function readSets(most: number): Sets | undefined {
  const place = places.map((path) => join(path, 'bench')).find((path) => existsSync(join(path, 'queries.jsonl')));
  if (place === undefined) {
    console.error('THE QUERIES ARE NOT HERE, so nothing is measured.');
    console.error(
      `Looked in ${places.join(', ')}. Set SKILLFUL_SHARED to the directory that contains bench/queries.jsonl.`,
    );
    return undefined;
  }
  const pool = parse<Described>(gunzipSync(readFileSync(join(place, 'skills-10k.jsonl.gz'))).toString('utf8'));
  const tools = parse<Described>(readFileSync(join(place, 'tools-199.jsonl'), 'utf8'));
  const queries = parse<Query>(readFileSync(join(place, 'queries.jsonl'), 'utf8'));
  const without = new Map(
    queries.flatMap(({ relevant: [id], descriptionWithout: text }) =>
      id === undefined || text === undefined ? [] : [[id, text] as const],
    ),
  );
  const all = [...pool, ...tools];
  const cut = all.map((skill) => ({ ...skill, description: without.get(skill.id) ?? skill.description }));
  const some = (set: string): readonly Query[] =>
    takeEvenly(
      queries.filter((query) => query.set === set),
      most,
    );
  return {
    documents: { all, cut, tools },
    sets: [
      { name: 'prompts', about: 'real evaluation prompts', documents: 'all', queries: some('prompts') },
      {
        name: 'use-when',
        about: '"use when" sentences cut out of descriptions',
        documents: 'cut',
        queries: some('use-when'),
      },
      { name: 'headings', about: 'headings of bodies', documents: 'all', queries: some('headings') },
      { name: 'tools', about: 'MetaTool queries among all', documents: 'all', queries: some('tools') },
      { name: 'tools alone', about: 'the same over 199 tools', documents: 'tools', queries: some('tools') },
    ],
  };
}

/** Takes at most so many of a list, from all parts of it. */
export function takeEvenly<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, list.length / most);
  return list.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

function parse<T>(text: string): readonly T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
