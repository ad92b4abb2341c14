// What the suites need of a database, and skills to publish.

import { randomUUID } from 'node:crypto';
import { type Catalog, loadCatalog, memorySource, type Skill } from '@skillful/core';
import type { Query } from '../../src/client.ts';
import { createPostgresIndex, type PostgresIndexOptions, postgresSource, type SkillDatabase } from '../../src/index.ts';

export interface Opened {
  readonly database: SkillDatabase;
  /** Runs a statement as the superuser, in no role of ours. */
  readonly query: (text: string, values?: unknown[]) => Promise<readonly unknown[]>;
}

/** Opens the same database each time, and names a new tenant, so that each test has its own. */
export type Open = () => Promise<Opened & { readonly tenant: string }>;

export const newTenant = (): string => `tenant-${randomUUID()}`;

export const skill = (name: string, description: string, body = 'Do it.'): Record<string, string> => ({
  [`${name}/SKILL.md`]: `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`,
});

export const catalogOf = (...files: readonly Readonly<Record<string, string | Uint8Array>>[]): Promise<Catalog> =>
  loadCatalog([memorySource(Object.assign({}, ...files))]);

export const namesOf = ({ skills }: Catalog): readonly string[] => skills.map(({ name }) => name);

export function firstOf({ skills: [first] }: Catalog): Skill {
  if (first === undefined) throw new Error('no skill');
  return first;
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Writes the skills `row-1` and so on into the first version of a tenant, faster than they could be published. */
export async function insertSkills(query: Query, tenant: string, first: number, last: number): Promise<void> {
  const digest = "'sha256:' || encode(sha256(n::text::bytea), 'hex')";
  const rows = `from generate_series(${first}, ${last}) as n`;
  await query(
    `insert into skillful.bundles (tenant, digest, head, bytes, has_files, truncated, refused, words)
    select $1, ${digest}, '', 0, false, false, '{}', '' ${rows}`,
    [tenant],
  );
  await query(`insert into skillful.skills select $1, 'row-' || n, ${digest}, 1 ${rows}`, [tenant]);
}

/** Searches what a tenant has published. Returns the names that were found, and why they were found by words only. */
export async function searchPublished(database: SkillDatabase, query: string, options: PostgresIndexOptions = {}) {
  const { tenant } = options;
  const { skills } = await loadCatalog([postgresSource(database, { tenant })]);
  const reasons: string[] = [];
  const index = createPostgresIndex(database, skills, options);
  const found = await index.search(query, { onFailure: (reason) => reasons.push(reason) });
  return { found: found.map((match) => match.skill.name), reasons };
}
