// Asks the database for skills by words and by meaning.

import type { Query } from './client.ts';
import { findVectors, toText } from './pgvector.ts';

/** What to search for. */
interface Wanted {
  /** The digests of skills that have the query as their name. */
  readonly named: readonly string[];
  readonly words: readonly string[];
  /** The vector of the query, to search by meaning as well. */
  readonly vector: ArrayLike<number> | undefined;
  /** At most how many skills to find by words, and by meaning. */
  readonly most: number;
  /** About how many skills are searched. */
  readonly skills: number;
}

/** A skill of a current version. */
export interface FoundSkill {
  readonly tenant: string;
  readonly directory: string;
  readonly digest: string;
}

/** A skill that words have found. */
interface Row extends FoundSkill {
  readonly score: number;
  readonly covered: number;
  readonly matched: readonly string[];
  /** About how many skills have each word of the query in their name or purpose; the same in all rows. */
  readonly holders: readonly number[];
}

/** A skill that is close in meaning, or that words have found. */
interface Near extends FoundSkill {
  readonly similarity: number;
  /** How much closer it is than the average of the skills that were compared. */
  readonly lead: number;
}

/** What the database finds for a query. */
export interface Answer {
  readonly rows: readonly Row[];
  /** Undefined without a vector, or if the database cannot search by meaning. */
  readonly near: readonly Near[] | undefined;
  /** The similarity of the closest skill to each off-topic question. */
  readonly closest: readonly number[];
}

/** Finds skills by words and, if there is a vector, by meaning. */
export async function findRows(query: Query, { named, words, vector, most, skills }: Wanted): Promise<Answer> {
  const statement = 'select * from skillful.search($1::text[], $2::text[], $3::int, $4::int)';
  const rows = await query<Row>(statement, [named, words, most, Math.max(1, skills)]);
  if (vector === undefined) return { rows, near: undefined, closest: [] };
  const closest = await readClosest(query);
  const found = rows.map(({ digest }) => digest);
  return { rows, near: await findNearest(query, vector, { most, found }), closest };
}

/**
 * Finds at most so many current skills of a tenant that are closest to a vector, and how close those are that words have `found`.
 * Compares all skills. Returns undefined if the database cannot search by meaning.
 */
async function findNearest(
  query: Query,
  vector: ArrayLike<number>,
  { most, found }: { readonly most: number; readonly found: readonly string[] },
): Promise<readonly Near[] | undefined> {
  const pgvector = await findVectors(query);
  if (pgvector === undefined) return undefined;
  // No nested loops: until new rows are analyzed, PostgreSQL has no statistics and would compare all with all. More memory: the
  // similarities of 100,000 skills take 30 MB, which would otherwise be written to files.
  await query("select set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)");
  return query(
    `with compared as materialized (
      select tenant, digest, 1 - (vector operator(${pgvector}.<=>) $1::${pgvector}.vector) as similarity
      from skillful.vectors where length = $3::int
    ),
    -- A vector of zeros is close to nothing.
    known as materialized (
      select tenant, digest, directory, similarity from compared join skillful.skills s using (tenant, digest)
      where s.last is null and similarity <> 'NaN'
    )
    select tenant, directory, digest, similarity, similarity - (select avg(similarity) from known) as lead from known
    order by digest = any($4::text[]) desc, similarity desc, directory limit $2::int + cardinality($4::text[])`,
    [toText(vector), most, vector.length, found],
  );
}

/** Reads the similarity of the closest skill that a tenant sees to each off-topic question. */
async function readClosest(query: Query): Promise<readonly number[]> {
  const rows = await query<{ closest: number }>(
    `select max(similarity) as closest from skillful.tenants, unnest(closest) with ordinality as q (similarity, position)
    where similarity <> 'NaN' group by position`,
  );
  return rows.map(({ closest }) => closest);
}
