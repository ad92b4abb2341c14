// Searches skills in the database, so that no process has to index them.

import type { Embed, SearchOptions, Skill, SkillFilter, SkillIndex } from '@skillful/core';
import {
  addBands,
  checkCounts,
  checkVectors,
  closenessFrom,
  combineMatches,
  embeddedText,
  foldName,
  isMatching,
  reasonOf,
} from '@skillful/core/extending';
import { checkTenant, type Session, type SkillDatabase, transact } from './database.ts';
import { type Answer, findRows } from './find-rows.ts';
import { noVectors } from './pgvector.ts';
import { toSearchable, toStorable } from './texts.ts';
import { within } from './within.ts';

export interface PostgresIndexOptions {
  /**
   * The tenant whose skills are searched, together with those that all tenants share.
   * @default only those that all tenants share
   */
  readonly tenant?: string | undefined;
  /**
   * Also finds skills by meaning, if they were published with the same function. If it fails or takes too long, or if the server
   * has no `pgvector`, the search uses words alone.
   */
  readonly embed?: Embed | undefined;
}

/** Characters of a query that are used. */
const maxQuery = 4_000;

/** Most matches to request, because integers of PostgreSQL end at 2,147,483,647. */
const mostWanted = 1_000_000;

/**
 * Creates an index of the given skills that come from a `postgresSource` of this tenant or of all tenants. Finds only skills of
 * current versions. A search costs one transaction, and rejects with `source-failed` if the database does not answer.
 */
export function createPostgresIndex(
  database: SkillDatabase,
  skills: readonly Skill[],
  options: PostgresIndexOptions = {},
): SkillIndex {
  const { embed } = options;
  const tenant = checkTenant(options, ['embed']);
  const byDigest = new Map<string | undefined, Skill>(skills.map((skill) => [skill.identity, skill]));
  byDigest.delete(undefined);
  let byName: ReadonlyMap<string, readonly string[]> | undefined;

  async function embedQuery(query: string, { signal, onFailure }: SearchOptions) {
    if (embed === undefined || query === '') return undefined;
    try {
      const answer = embed([embeddedText(query)], { kind: 'query', signal });
      const { timeout } = database;
      const message = `the embedding model did not answer within ${timeout} ms`;
      return checkVectors(await within(answer, timeout, signal, message), 1)[0];
    } catch (error) {
      signal?.throwIfAborted();
      onFailure?.(reasonOf(error));
      return undefined;
    }
  }

  /** Turns the rows of the database into matches of skills that are in the index and meet the filter. */
  function toMatches({ rows, near, closest }: Answer, filter: SkillFilter, spellings: ReadonlyMap<string, string>) {
    const skillsOf = (digest: string): readonly Skill[] => {
      const skill = byDigest.get(digest);
      return skill === undefined || !isMatching(skill, filter) ? [] : [skill];
    };
    // A tenant may have a skill that all tenants have, too. The better row comes first.
    const seen = new Set<string>();
    const best = rows.filter(({ digest }) => seen.size < seen.add(digest).size);
    const matches = best.flatMap(({ digest, score, covered, matched }) => {
      const words = new Set(matched.map((word) => spellings.get(word) ?? word));
      return skillsOf(digest).map((skill) => ({ skill, score, covered, words: [...words] }));
    });
    const byWords = { matches, holders: rows[0]?.holders ?? [], skills: byDigest.size };
    if (near === undefined) return addBands(byWords);
    const closenessOf = closenessFrom(closest);
    const byMeaning = near.flatMap(({ digest, similarity, lead }) =>
      skillsOf(digest).map((skill) => ({ skill, lead, closeness: closenessOf(similarity) })),
    );
    return combineMatches(byWords, byMeaning);
  }

  return {
    async search(query, options = {}) {
      const { limit = 5, filter = {}, signal } = options;
      checkCounts({ limit });
      const text = toStorable(query.slice(0, maxQuery)).trim();
      const spellings = findSpellings(text);
      byName ??= digestsByName(byDigest.values());
      const asked = { named: byName.get(foldName(text)) ?? [], words: [...spellings.keys()], skills: byDigest.size };
      let vector = await embedQuery(text, options);
      const session: Session = { database, role: 'skillful_reader', tenant, signal };
      // The database may return skills that are not in the index or do not meet the filter. Then it is asked for more.
      for (let most = Math.min(limit, mostWanted) * 2; ; most *= 20) {
        const answer = await transact(session, (run) => findRows(run, { ...asked, vector, most }));
        const { rows, near } = answer;
        if (vector !== undefined && near === undefined) {
          options.onFailure?.(noVectors().message);
          vector = undefined;
        }
        const matches = toMatches(answer, filter, spellings);
        const isAll = rows.length < most && (near === undefined || near.length < most);
        if (matches.length >= limit || isAll) return matches.slice(0, limit);
      }
    },
  };
}

/** Returns the digests of skills by the names that they have in the catalog. */
function digestsByName(skills: Iterable<Skill>): ReadonlyMap<string, readonly string[]> {
  const digests = new Map<string, readonly string[]>();
  for (const { name, identity = '' } of skills) {
    const key = foldName(name);
    digests.set(key, [...(digests.get(key) ?? []), identity]);
  }
  return digests;
}

/** Maps each word, in the form that is sent to the database, to its spelling in the query. */
function findSpellings(query: string): ReadonlyMap<string, string> {
  return new Map(
    query.split(/\s+/u).flatMap((word) =>
      toSearchable(word)
        .split(' ')
        .filter((part) => part !== '')
        .map((part) => [part, word] as const),
    ),
  );
}
