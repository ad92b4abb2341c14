// Searches skills in the database, so that no process has to index them.

import type { Embed, SearchOptions, Skill, SkillFilter, SkillIndex } from '@skillful/core';
import {
  addBands,
  checkSearch,
  checkVectors,
  closenessFrom,
  combineMatches,
  embeddedText,
  isMatching,
  reasonOf,
} from '@skillful/core/extending';
import { checkTenant, type Session, type SkillDatabase, transact } from './database.ts';
import { type Answer, findRows } from './find-rows.ts';
import { createListedSkills } from './listed-skills.ts';
import { checkLength, noVectors } from './pgvector.ts';
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

/** What the database has found, and the skills of the index among it. */
interface Found extends Answer {
  /** Returns the listed skill for a digest that was found, if there is one. */
  readonly skillOf: (digest: string) => Skill | undefined;
}

/**
 * Creates an index of the given skills that come from a `postgresSource` of this tenant or of all tenants. Finds a skill by its
 * current text, even if the given one is older, and none that has been removed since. A search costs one transaction, and rejects
 * with `source-failed` if the database does not answer.
 */
export function createPostgresIndex(
  database: SkillDatabase,
  skills: readonly Skill[],
  options: PostgresIndexOptions = {},
): SkillIndex {
  const { embed } = options;
  const tenant = checkTenant(options, ['embed']);
  const listed = createListedSkills(skills);

  async function embedQuery(query: string, { signal, onFailure }: SearchOptions) {
    if (embed === undefined || query === '') return undefined;
    try {
      const answer = embed([embeddedText(query)], { kind: 'query', signal });
      const { timeout } = database;
      const message = `the embedding model did not answer within ${timeout} ms`;
      const [vector = []] = checkVectors(await within(answer, timeout, signal, message), 1);
      checkLength(vector.length);
      if (vector.every((number) => number === 0)) throw new Error('the vector of the query has only zeros');
      return vector;
    } catch (error) {
      signal?.throwIfAborted();
      onFailure?.(reasonOf(error));
      return undefined;
    }
  }

  /** Turns the rows of the database into matches of skills that are in the index and meet the filter. */
  function toMatches({ rows, near, closest, skillOf }: Found, filter: SkillFilter, spellings: Spellings) {
    const skillsOf = (digest: string): readonly Skill[] => {
      const skill = skillOf(digest);
      return skill === undefined || !isMatching(skill, filter) ? [] : [skill];
    };
    // A tenant may have a skill that all tenants have, too. The better row comes first.
    const best = new Map<string, Answer['rows'][number]>();
    for (const row of rows) if (!best.has(row.digest)) best.set(row.digest, row);
    const matches = [...best.values()].flatMap(({ digest, score, covered, matched }) => {
      const words = new Set(matched.map((word) => spellings.get(word) ?? word));
      return skillsOf(digest).map((skill) => ({ skill, score, covered, words: [...words] }));
    });
    const byWords = { matches, holders: rows[0]?.holders ?? [], skills: listed.size };
    if (near === undefined) return addBands(byWords);
    const closenessOf = closenessFrom(closest);
    const byMeaning = near.flatMap(({ digest, similarity, lead }) =>
      skillsOf(digest).map((skill) => ({ skill, lead, closeness: closenessOf(similarity) })),
    );
    return combineMatches(byWords, byMeaning);
  }

  return {
    async search(query, options = {}) {
      checkSearch(options);
      const { limit = 5, filter = {}, signal } = options;
      const text = toStorable(query.slice(0, maxQuery)).trim();
      const spellings = findSpellings(text);
      const asked = { named: listed.digestsOf(text), words: [...spellings.keys()], skills: listed.size };
      let vector = await embedQuery(text, options);
      const session: Session = { database, role: 'skillful_reader', tenant, signal };
      // The database may return skills that are not in the index or do not meet the filter. Then it is asked for more.
      for (let most = Math.min(limit, mostWanted) * 2; ; most *= 20) {
        const found = await transact(session, async (run): Promise<Found> => {
          const answer = await findRows(run, { ...asked, vector, most });
          const { rows, near = [] } = answer;
          return { ...answer, skillOf: await listed.match(run, [...rows, ...near]) };
        });
        const { rows, near } = found;
        if (vector !== undefined && (near === undefined || near.length === 0)) {
          options.onFailure?.(near === undefined ? noVectors().message : unlikeVectors(vector));
          vector = undefined;
        }
        const matches = toMatches(found, filter, spellings);
        const isAll = rows.length < most && (near === undefined || near.length < most);
        if (matches.length >= limit || isAll) return matches.slice(0, limit);
      }
    },
  };
}

function unlikeVectors({ length }: ArrayLike<number>): string {
  return `no published skill has a vector of ${length} numbers; publish with the same \`embed\``;
}

type Spellings = ReadonlyMap<string, string>;

/** Maps each word, in the form that is sent to the database, to its spelling in the query. */
function findSpellings(query: string): Spellings {
  return new Map(
    query.split(/\s+/u).flatMap((word) =>
      toSearchable(word)
        .split(' ')
        .filter((part) => part !== '')
        .map((part) => [part, word] as const),
    ),
  );
}
