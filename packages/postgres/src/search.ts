// Finds skills in the database, so that no process has to index them.

import { isMatching, type Skill, type SkillIndex, type SkillMatch } from '@skillful/core';
import { checkTenant, type SkillDatabase, transact } from './database.ts';
import { separateWords, toStorable } from './words.ts';

export interface PostgresIndexOptions {
  /**
   * Whose skills are searched, together with those that all tenants share.
   * @default nobody's
   */
  readonly tenant?: string | undefined;
}

/** Characters of a query that count. */
const maxQuery = 4_000;

/** From this share of the weight of a query's words on, a match is strong, or else weak. */
const [strongCoverage, weakCoverage] = [0.5, 0.2];

interface Row {
  readonly digest: string;
  readonly score: number;
  /** Share of the weight of the query's words that the skill has. */
  readonly coverage: number;
  readonly matched: readonly string[];
}

/**
 * Creates an index over those of the skills that come from a `postgresSource` of this tenant or of all tenants. A search
 * costs one statement, and rejects with `source-failed` if the database does not answer.
 */
export function createPostgresIndex(
  database: SkillDatabase,
  skills: readonly Skill[],
  options: PostgresIndexOptions = {},
): SkillIndex {
  const tenant = checkTenant(options.tenant);
  const byDigest = new Map<string | undefined, Skill>(skills.map((skill) => [skill.identity, skill]));
  byDigest.delete(undefined);

  return {
    async search(query, { limit = 5, filter = {}, signal } = {}) {
      const text = toStorable(query.slice(0, maxQuery)).trim();
      const spellings = findSpellings(text);
      // The database may find skills that are not in the index, or that the filter leaves out: then it is asked for more.
      for (let most = limit * 2; ; most *= 20) {
        const rows = await transact(database, { role: 'skillful_reader', tenant, signal }, (run) =>
          run<Row>('select digest, score, coverage, matched from skillful.search($1, $2::text[], $3::int)', [
            text,
            [...spellings.keys()],
            most,
          ]),
        );
        const matches = rows.flatMap((row): readonly SkillMatch[] => {
          const skill = byDigest.get(row.digest);
          if (skill === undefined || !isMatching(skill, filter)) return [];
          const { score, coverage } = row;
          const band = coverage >= strongCoverage ? 'strong' : coverage >= weakCoverage ? 'weak' : 'none';
          return [{ skill, score, band, words: [...new Set(row.matched.map((word) => spellings.get(word) ?? word))] }];
        });
        if (matches.length >= limit || rows.length < most) return matches.slice(0, limit);
      }
    },
  };
}

/** Maps each word of a query, as the database is asked for it, to how the query writes it. */
function findSpellings(query: string): ReadonlyMap<string, string> {
  const written = query.split(/\s+/u).filter((word) => word !== '');
  return new Map(
    written.flatMap((word) =>
      separateWords(word)
        .split(' ')
        .map((part) => [part, word] as const),
    ),
  );
}
