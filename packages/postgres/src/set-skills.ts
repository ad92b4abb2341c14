// Makes skills the current ones of a tenant, as a new version.

import { SkillError } from '@skillful/core';
import type { Bundle } from './bundle.ts';
import type { Query } from './client.ts';
import { notify, withoutLoops } from './database.ts';
import { noteClosest } from './send-vectors.ts';

/** The changes of a publication, by directory. */
export interface Publication {
  /** The current version, which is the previous one if nothing has changed. */
  readonly version: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** A skill of a version: the name of its directory, and the digest of its bundle. */
export type VersionedSkill = Pick<Bundle, 'directory' | 'digest'>;

/**
 * Makes the given skills the current ones, in the transaction of the query. Their bundles must be in the database.
 *
 * @throws {SkillError} `skill-protected` if another version than `expected` is the current one
 */
export async function setSkills(
  query: Query,
  tenant: string,
  skills: readonly VersionedSkill[],
  expected?: number,
): Promise<Publication> {
  const before = await lockTenant(query, tenant);
  if (expected !== undefined && before !== expected) {
    const current = before === 0 ? 'no version' : `version ${before}`;
    const message = `Nothing was published, because ${current} is the current one, not ${expected}. Load what is current, and make the change again.`;
    throw new SkillError('skill-protected', message);
  }
  const version = before + 1;
  const changes = await withoutLoops(query)<{ directory: string; was: boolean; is: boolean }>(
    `with wanted as materialized (
      select directory collate "C", digest collate "C"
      from json_to_recordset($2::json) as w (directory text, digest text)
    ),
    current as (select directory, digest from skillful.skills where tenant = $1 and last is null),
    ended as (
      update skillful.skills s set last = $3::int where tenant = $1 and last is null
        and not exists (select from wanted w where w.directory = s.directory and w.digest = s.digest)
      returning directory
    ),
    begun as (
      insert into skillful.skills (tenant, directory, digest, first)
      select $1, w.directory, w.digest, $3::int from wanted w
      where not exists (select from current c where c.directory = w.directory and c.digest = w.digest)
      returning directory
    )
    select directory, ended.directory is not null as was, begun.directory is not null as is
    from ended full join begun using (directory) order by directory`,
    [tenant, JSON.stringify(skills), version],
  );
  const namesOf = (list: typeof changes): readonly string[] => list.map(({ directory }) => directory);
  const publication = {
    added: namesOf(changes.filter(({ was }) => !was)),
    changed: namesOf(changes.filter(({ was, is }) => was && is)),
    removed: namesOf(changes.filter(({ is }) => !is)),
  };
  await noteClosest(query, tenant);
  if (changes.length === 0) return { version: before, ...publication };
  await query('update skillful.tenants set version = $2 where tenant = $1', [tenant, version]);
  await query(
    `insert into skillful.versions (tenant, version, skills)
    select $1, $2, count(*) from skillful.skills where tenant = $1 and last is null`,
    [tenant, version],
  );
  await countWords(query, tenant);
  await notify(query, tenant);
  return { version, ...publication };
}

/** Skills whose words are counted. Digests are random, so these are as good as any others. */
const counted = 1_000;

/** The most words that are noted, and the share of the skills that must have one. */
const [mostCommon, leastShare] = [2_000, 0.002];

/** Notes about how many current skills of a tenant have each common word, because the search looks skills up by rare words. */
async function countWords(query: Query, tenant: string): Promise<void> {
  await query(
    `with current as materialized (
      select digest from skillful.skills where tenant = $1 and last is null
    ),
    words as materialized (
      select w.lexeme from (select digest from current order by digest limit ${counted}) c
        cross join lateral (select words from skillful.bundles where tenant = $1 and digest = c.digest limit 1) b
        cross join lateral unnest(b.words) as w
      where w.lexeme not like '=%'
    ),
    common as (
      select lexeme, count(*) * greatest(1, skills / ${counted}::float8) as holders
      from words, (select count(*) as skills from current) as all_skills group by lexeme, skills
      having count(*) > ${leastShare} * least(skills, ${counted}) order by count(*) desc, lexeme limit ${mostCommon}
    )
    update skillful.tenants set common = array(select lexeme from common order by lexeme),
      holders = array(select holders from common order by lexeme)
    where tenant = $1`,
    [tenant],
  );
}

/**
 * Waits until no one else changes the versions of a tenant, and returns the current one. The lock ends with the transaction. A tenant
 * without a row gets one, so that all others wait for it.
 */
export async function lockTenant(query: Query, tenant: string): Promise<number> {
  const [current] = await query<{ version: number }>(
    `insert into skillful.tenants as t values ($1, 0)
    on conflict (tenant) do update set version = t.version returning version`,
    [tenant],
  );
  return current?.version ?? 0;
}
