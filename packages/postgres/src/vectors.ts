// Skills by their meaning, if the server has `pgvector`: a vector for each bundle, computed once.

import { type Embed, SkillError } from '@skillful/core';
import type { Bundle } from './bundle.ts';
import type { Query } from './client.ts';
import { type Session, type SkillDatabase, transact } from './database.ts';

/** Computes and sends the vectors that the tenant does not have yet. */
export async function sendVectors(
  database: SkillDatabase,
  session: Session,
  bundles: readonly Bundle[],
  embed: Embed,
): Promise<void> {
  const { tenant, signal } = session;
  const known = await transact(database, session, async (query) => {
    await checkExtension(query);
    return query<{ digest: string }>(
      'select digest from skillful.vectors where tenant = $1 and digest = any($2::text[])',
      [tenant, bundles.map(({ digest }) => digest)],
    );
  });
  const digests = new Set(known.map(({ digest }) => digest));
  const unknown = bundles.filter(({ digest }) => !digests.has(digest));
  if (unknown.length === 0) return;
  const vectors = await embed(
    unknown.map(({ directory, purpose }) => `${directory}: ${purpose}`),
    { kind: 'skills', signal },
  );
  if (vectors.length !== unknown.length) {
    const message = `\`embed\` returned ${vectors.length} vectors for ${unknown.length} texts.`;
    throw new SkillError('options-invalid', message);
  }
  const rows = unknown.map(({ digest }, index) => ({
    digest,
    vector: JSON.stringify(Array.from(vectors[index] ?? [])),
  }));
  await transact(database, session, (query) =>
    query(
      `insert into skillful.vectors (tenant, digest, vector)
      select $1, digest, vector::vector from json_to_recordset($2::json) as v (digest text, vector text)
      on conflict do nothing`,
      [tenant, JSON.stringify(rows)],
    ),
  );
}

async function checkExtension(query: Query): Promise<void> {
  const [row] = await query<{ found: boolean }>("select to_regclass('skillful.vectors') is not null as found");
  if (row?.found) return;
  const message =
    '`embed` needs the extension `vector`. Install pgvector on the server and call `setUpDatabase` again.';
  throw new SkillError('options-invalid', message);
}

/** A skill that is close by meaning. */
interface Near {
  readonly digest: string;
  readonly similarity: number;
  /** How much closer it is than the mean of those that were compared. */
  readonly lead: number;
}

/** Finds the current skills of a tenant that are closest, and how close those are that words have found, by comparing all of them. */
export async function findNearest(
  query: Query,
  vector: ArrayLike<number>,
  { most, found }: { readonly most: number; readonly found: readonly string[] },
): Promise<readonly Near[]> {
  return query(
    `with compared as materialized (
      select v.digest, s.directory, 1 - (v.vector <=> $1::vector) as similarity
      from skillful.vectors v join skillful.skills s using (tenant, digest)
      where s.last is null and vector_dims(v.vector) = $3::int
    ),
    -- A vector of zeros is close to nothing.
    known as (select * from compared where similarity <> 'NaN')
    select digest, similarity, similarity - mean as lead
    from known, (select avg(similarity) as mean from known) as average order by digest = any($4::text[]) desc, similarity desc, directory
    limit $2::int + cardinality($4::text[])`,
    [JSON.stringify(Array.from(vector)), most, vector.length, found],
  );
}

/** Returns the similarity of each vector to the current skill of a tenant that is closest to it. */
export async function findClosest(query: Query, vectors: readonly ArrayLike<number>[]): Promise<readonly number[]> {
  const rows = await query<{ closest: number }>(
    `with compared as (
      select position, 1 - (v.vector <=> value::vector) as similarity
      from json_array_elements_text($1::json) with ordinality as question (value, position),
        skillful.vectors v join skillful.skills s using (tenant, digest)
      where s.last is null and vector_dims(v.vector) = $2::int
    )
    select max(similarity) as closest from compared where similarity <> 'NaN' group by position`,
    [JSON.stringify(vectors.map((vector) => JSON.stringify(Array.from(vector)))), vectors[0]?.length ?? 0],
  );
  return rows.map(({ closest }) => closest);
}
