// Computes a vector for each skill when it is published, once for each model, and how close the skills are to off-topic questions.

import { type Embed, SkillError } from '@skillful/core';
import { checkVectors, embeddedText, offTopicQuestions, reasonOf } from '@skillful/core/extending';
import type { Bundle } from './bundle.ts';
import type { Query } from './client.ts';
import { type Session, transact } from './database.ts';
import { checkLength, findVectors, noVectors, toText } from './pgvector.ts';
import { within } from './within.ts';

/** A model. It is recognised by its vectors for the off-topic questions. */
interface Model {
  readonly embed: Embed;
  /** The schema of the extension. */
  readonly pgvector: string;
  /** The vectors of the questions, as texts. */
  readonly questions: readonly string[];
  /** Number of dimensions of each vector. */
  readonly length: number;
}

/** Similarities that differ by less are the same except for rounding, so they come from the same model. */
const rounding = 0.01;

/** Asks a model for the vectors of the off-topic questions. */
export async function askModel(session: Session, embed: Embed): Promise<Model> {
  const pgvector = await transact(session, findVectors);
  if (pgvector === undefined) throw noVectors();
  const vectors = await embedAll(embed, offTopicQuestions, { kind: 'query', signal: session.signal });
  return { embed, pgvector, questions: vectors.map(toText), length: vectors[0]?.length ?? 0 };
}

/** Computes and sends the vectors that the tenant lacks or has from another model. */
export async function sendVectors(session: Session, bundles: readonly Bundle[], model: Model): Promise<void> {
  const { embed, pgvector, length } = model;
  const { questions, similarity } = partsOf(pgvector);
  const { tenant, signal } = session;
  const known = await transact(session, (query) =>
    query<{ digest: string }>(
      // In a `case`, because comparing vectors of different lengths fails.
      `with ${questions}
      select v.digest from unnest($3::text[]) as sent (digest) cross join lateral (
        select * from skillful.vectors where tenant = $1 and digest = sent.digest limit 1
      ) v where case when length = $4 then not exists (
          select from questions where abs(${similarity} - v.closeness[position]) > ${rounding}
        ) end`,
      [tenant, JSON.stringify(model.questions), bundles.map(({ digest }) => digest), length],
    ),
  );
  const digests = new Set(known.map(({ digest }) => digest));
  const unknown = bundles.filter(({ digest }) => !digests.has(digest));
  if (unknown.length === 0) return;
  const texts = unknown.map(({ directory, purpose }) => embeddedText(purpose, directory));
  const vectors = await embedAll(embed, texts, { kind: 'skills', signal }, length);
  const rows = unknown.map(({ digest }, index) => ({ digest, vector: toText(vectors[index] ?? []) }));
  await transact(session, (query) =>
    query(
      `with ${questions}
      insert into skillful.vectors (tenant, digest, vector, closeness)
      select $1, v.digest, v.vector, array(select ${similarity} from questions order by position)
      from json_to_recordset($3::json) as v (digest text, vector ${pgvector}.vector) order by digest
      on conflict (tenant, digest) do update set vector = excluded.vector, closeness = excluded.closeness`,
      [tenant, JSON.stringify(model.questions), JSON.stringify(rows)],
    ),
  );
}

/**
 * Parts of statements: the questions in the parameter `$2`, and the similarity of the vector `v` to a question, unless either is
 * all zeros.
 */
const partsOf = (pgvector: string) => ({
  questions: `questions as materialized (
    select position, value::${pgvector}.vector as question
    from json_array_elements_text($2::json) with ordinality as q (value, position)
  )`,
  similarity: `nullif(1 - (v.vector operator(${pgvector}.<=>) question), 'NaN')`,
});

/** Computes vectors, which must all have the same length, and that of earlier ones. */
async function embedAll(embed: Embed, texts: readonly string[], options: Parameters<Embed>[1], known?: number) {
  try {
    const vectors = checkVectors(await within(embed(texts, options), undefined, options.signal), texts.length);
    const length = known ?? vectors[0]?.length ?? 0;
    const other = vectors.find((vector) => vector.length !== length);
    if (other !== undefined) throw new Error(`it returned vectors of ${length} and of ${other.length} numbers`);
    checkLength(length);
    return vectors;
  } catch (error) {
    options.signal?.throwIfAborted();
    const message = `Nothing was published, because \`embed\` failed: ${reasonOf(error)}`;
    throw new SkillError('source-failed', message, { cause: error });
  }
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
