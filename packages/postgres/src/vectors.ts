// Finds skills by meaning if the server has `pgvector`, with a vector for each bundle that is computed once.

import { type Embed, SkillError } from '@skillful/core';
import { checkVectors, offTopicQuestions } from '@skillful/core/extending';
import type { Bundle } from './bundle.ts';
import type { Query } from './client.ts';
import { type Session, transact } from './database.ts';
import { within } from './within.ts';
import { toEmbeddable } from './words.ts';

/** A model. It is recognised by its vectors for questions that no skill answers, stored as texts. */
export interface Model {
  readonly embed: Embed;
  /** The schema of the extension. */
  readonly place: string;
  readonly questions: readonly string[];
  /** Number of dimensions of each vector. */
  readonly length: number;
}

/** Similarities that differ by less are the same except for rounding, so they come from the same model. */
const rounding = 0.01;

/** Asks a model for the vectors of those questions. */
export async function askModel(session: Session, embed: Embed): Promise<Model> {
  const place = await transact(session, findVectors);
  if (place === undefined) throw noVectors();
  const vectors = await embedAll(embed, offTopicQuestions, { kind: 'query', signal: session.signal });
  return { embed, place, questions: vectors.map(toText), length: vectors[0]?.length ?? 0 };
}

/** Computes and sends the vectors that the tenant lacks or has from another model. */
export async function sendVectors(session: Session, bundles: readonly Bundle[], model: Model): Promise<void> {
  const { embed, place, questions, length } = model;
  const { asked, toQuestion } = partsOf(place);
  const { tenant, signal } = session;
  const known = await transact(session, (query) =>
    query<{ digest: string }>(
      `with ${asked}
      select digest from skillful.vectors v where tenant = $1 and digest = any($3::text[])
        and case when length = $4 then not exists (
          select from asked where abs(${toQuestion} - v.closeness[position]) > ${rounding}
        ) end`,
      [tenant, JSON.stringify(questions), bundles.map(({ digest }) => digest), length],
    ),
  );
  const digests = new Set(known.map(({ digest }) => digest));
  const unknown = bundles.filter(({ digest }) => !digests.has(digest));
  if (unknown.length === 0) return;
  const texts = unknown.map(({ directory, purpose }) => toEmbeddable(`${directory}: ${purpose}`));
  const vectors = await embedAll(embed, texts, { kind: 'skills', signal });
  const rows = unknown.map(({ digest }, index) => ({ digest, vector: toText(vectors[index] ?? []) }));
  await transact(session, (query) =>
    query(
      `with ${asked}
      insert into skillful.vectors (tenant, digest, vector, closeness)
      select $1, v.digest, v.vector, array(select ${toQuestion} from asked order by position)
      from json_to_recordset($3::json) as v (digest text, vector ${place}.vector) order by digest
      on conflict (tenant, digest) do update set vector = excluded.vector, closeness = excluded.closeness`,
      [tenant, JSON.stringify(questions), JSON.stringify(rows)],
    ),
  );
}

/**
 * Parts of statements: the questions in the parameter `$2`, and the similarity of the vector `v` to a question, unless either is
 * all zeros.
 */
const partsOf = (place: string) => ({
  asked: `asked as materialized (
    select position, value::${place}.vector as question
    from json_array_elements_text($2::json) with ordinality as q (value, position)
  )`,
  toQuestion: `nullif(1 - (v.vector operator(${place}.<=>) question), 'NaN')`,
});

async function embedAll(embed: Embed, texts: readonly string[], options: Parameters<Embed>[1]) {
  return checkVectors(await within(embed(texts, options), undefined, options.signal), texts.length);
}

function toText(vector: ArrayLike<number>): string {
  return JSON.stringify(Array.from(vector));
}

/** Creates the error for a database that cannot search by meaning. */
export function noVectors(): SkillError {
  const message =
    '`embed` needs the extension `vector`, in a schema that both roles may use. Install pgvector, run `create extension vector`, and call `setUpDatabase` again.';
  return new SkillError('options-invalid', message);
}

/** Returns the quoted name of the schema that has the extension, if the role may use it. `condition` restricts this further. */
export async function findExtension(query: Query, condition = 'true'): Promise<string | undefined> {
  const [row] = await query<{ place: string }>(
    `select extnamespace::regnamespace::text as place from pg_extension
    where extname = 'vector' and has_schema_privilege(extnamespace, 'usage') and ${condition}`,
  );
  return row?.place;
}

/** Finds the same if there is a table of vectors, too. */
function findVectors(query: Query): Promise<string | undefined> {
  return findExtension(query, "to_regclass('skillful.vectors') is not null");
}

/** Stores the similarity of the tenant's closest current skill to each off-topic question. */
export async function noteClosest(query: Query, tenant: string): Promise<void> {
  if ((await findVectors(query)) === undefined) return;
  await query(
    // Each skill is looked up separately, because without statistics about new rows, a join would compare all with all.
    `with closest as (
      select position, max(similarity) as similarity
      from skillful.skills s, unnest((
        select closeness from skillful.vectors v where v.tenant = s.tenant and v.digest = s.digest
      )) with ordinality as q (similarity, position)
      where s.tenant = $1 and s.last is null group by position
    )
    update skillful.tenants set closest = array(select similarity from closest order by position) where tenant = $1`,
    [tenant],
  );
}

interface Near {
  readonly digest: string;
  readonly similarity: number;
  /** How much closer it is than the average of the skills that were compared. */
  readonly lead: number;
}

/**
 * Finds the closest current skills of a tenant, and the closeness of the skills that words have found. Compares all skills. Returns
 * undefined if the database cannot search by meaning.
 */
export async function findNearest(
  query: Query,
  vector: ArrayLike<number>,
  { most, found }: { readonly most: number; readonly found: readonly string[] },
): Promise<readonly Near[] | undefined> {
  const place = await findVectors(query);
  if (place === undefined) return undefined;
  // No nested loops: until new rows are analyzed, PostgreSQL has no statistics and would compare all with all. More memory: the
  // similarities of 100,000 skills take 30 MB, which would otherwise be written to files.
  await query("select set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)");
  return query(
    `with compared as materialized (
      select tenant, digest, 1 - (vector operator(${place}.<=>) $1::${place}.vector) as similarity from skillful.vectors where length = $3::int
    ),
    -- A vector of zeros is close to nothing.
    known as materialized (
      select digest, directory, similarity from compared join skillful.skills s using (tenant, digest)
      where s.last is null and similarity <> 'NaN'
    )
    select digest, similarity, similarity - (select avg(similarity) from known) as lead from known
    order by digest = any($4::text[]) desc, similarity desc, directory limit $2::int + cardinality($4::text[])`,
    [toText(vector), most, vector.length, found],
  );
}

/** Reads the similarity of the closest skill that a tenant sees to each off-topic question. */
export async function readClosest(query: Query): Promise<readonly number[]> {
  const rows = await query<{ closest: number }>(
    `select max(similarity) as closest from skillful.tenants, unnest(closest) with ordinality as q (similarity, position)
    where similarity <> 'NaN' group by position`,
  );
  return rows.map(({ closest }) => closest);
}
