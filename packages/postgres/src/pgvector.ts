// Finds out whether a database can search by meaning: it needs the extension `pgvector`, and a table of vectors.

import { SkillError } from '@skillful/core';
import type { Query } from './client.ts';

/** Returns the quoted name of the schema that has the extension, if the role may use it. `condition` restricts this further. */
export async function findExtension(query: Query, condition = 'true'): Promise<string | undefined> {
  const [row] = await query<{ pgvector: string }>(
    `select extnamespace::regnamespace::text as pgvector from pg_extension
    where extname = 'vector' and has_schema_privilege(extnamespace, 'usage') and ${condition}`,
  );
  return row?.pgvector;
}

/** Finds the same if there is a table of vectors, too. */
export function findVectors(query: Query): Promise<string | undefined> {
  return findExtension(query, "to_regclass('skillful.vectors') is not null");
}

/** Creates the error for a database that cannot search by meaning. */
export function noVectors(): SkillError {
  const message =
    '`embed` needs the extension `vector`, in a schema that both roles may use. Install pgvector, run `create extension vector` (for PGlite, pass it as an extension), and call `setUpDatabase` again.';
  return new SkillError('options-invalid', message);
}

/** The most numbers that `pgvector` stores in a vector. */
const mostNumbers = 16_000;

/** @throws an error if a vector has more numbers than `pgvector` stores */
export function checkLength(numbers: number): void {
  if (numbers > mostNumbers)
    throw new Error(`a vector has more than the ${mostNumbers} numbers that \`pgvector\` stores`);
}

/** Writes a vector as `pgvector` reads it. */
export function toText(vector: ArrayLike<number>): string {
  return JSON.stringify(Array.from(vector));
}
