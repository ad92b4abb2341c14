// Creates, lists, restores and prunes the versions of a tenant's skills.

import { SkillError } from '@skillful/core';
import { checkCounts } from '@skillful/core/extending';
import type { Query } from './client.ts';
import { channelOf, createSession, type SkillDatabase, type TenantOptions, transact } from './database.ts';
import { noteClosest } from './vectors.ts';

/** The changes of a publication, by directory. */
export interface Publication {
  /** The current version, which is the previous one if nothing has changed. */
  readonly version: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** A version that can be read or restored. */
export interface SkillVersion {
  readonly version: number;
  readonly published: Date;
  /** The number of its skills. */
  readonly skills: number;
}

/** Lists the versions of a tenant's skills, newest first. */
export async function listVersions(
  database: SkillDatabase,
  options: TenantOptions = {},
): Promise<readonly SkillVersion[]> {
  const session = createSession(database, 'skillful_reader', options);
  // In milliseconds, because an application may have its own parser for dates.
  const versions = await transact(session, (query) =>
    query<Omit<SkillVersion, 'published'> & { readonly published: number }>(
      `select version, (extract(epoch from published) * 1000)::float8 as published, skills from skillful.versions
      where tenant = $1 order by version desc`,
      [session.tenant],
    ),
  );
  return versions.map((version) => ({ ...version, published: new Date(version.published) }));
}

/**
 * Publishes the skills of an earlier version again, as a new version.
 *
 * @throws {SkillError} `source-failed`, also if there is no such version; `options-invalid`
 */
export async function rollBackSkills(
  database: SkillDatabase,
  version: number,
  options: TenantOptions = {},
): Promise<Publication> {
  checkCounts({ version }, 1);
  const session = createSession(database, 'skillful_publisher', options);
  return transact(session, async (query) => {
    // Otherwise, another process could remove a part of the version meanwhile.
    await lockTenant(query, session.tenant);
    const known = await query('select from skillful.versions where tenant = $1 and version = $2::float8', [
      session.tenant,
      version,
    ]);
    if (known.length === 0) throw new SkillError('source-failed', `There is no version ${version} to go back to.`);
    const wanted = `(select directory, digest from skillful.skills
      where tenant = $1 and first <= $2::int and (last is null or last > $2::int)) as w`;
    return setSkills(query, session.tenant, wanted, version);
  });
}

/**
 * Removes all but the newest versions of a tenant, and the skills that only removed versions had. A process that listed such a
 * skill can no longer read it, so keep enough versions for your longest conversations.
 *
 * @param keep how many versions to keep, from 1
 * @returns how many versions and skills were removed
 * @throws {SkillError} `source-failed`; `options-invalid`
 */
export async function pruneVersions(
  database: SkillDatabase,
  keep: number,
  options: TenantOptions = {},
): Promise<{ readonly versions: number; readonly skills: number }> {
  if (!Number.isInteger(keep) || keep < 1) {
    throw new SkillError('options-invalid', `\`keep\` must be a whole number from 1, not ${keep}.`);
  }
  const session = createSession(database, 'skillful_publisher', options);
  return transact(session, async (query) => {
    // While the tenant is locked, no one can publish skills that this removes.
    await lockTenant(query, session.tenant);
    const versions = await query<{ version: number }>(
      `delete from skillful.versions where tenant = $1 and version not in (
        select version from skillful.versions where tenant = $1 order by version desc limit $2
      ) returning version`,
      [session.tenant, Math.min(keep, Number.MAX_SAFE_INTEGER)],
    );
    const newest = versions.reduce((latest, { version }) => Math.max(latest, version), 0);
    const ended = await query<{ digest: string }>(
      'delete from skillful.skills where tenant = $1 and last <= $2::int + 1 returning digest',
      [session.tenant, newest],
    );
    const skills = await query(
      `delete from skillful.bundles b where tenant = $1 and digest = any($2::text[])
        and not exists (select from skillful.skills s where s.tenant = b.tenant and s.digest = b.digest)
      returning digest`,
      [session.tenant, ended.map(({ digest }) => digest)],
    );
    return { versions: versions.length, skills: skills.length };
  });
}

/**
 * Makes the given skills the current ones, in the transaction of the query. `wanted` selects their directories and digests from
 * the parameter `$2`.
 */
export async function setSkills(
  query: Query,
  tenant: string,
  wanted: string,
  parameter: unknown,
): Promise<Publication> {
  await query('insert into skillful.tenants values ($1, 0) on conflict do nothing', [tenant]);
  const before = await lockTenant(query, tenant);
  const version = before + 1;
  const changes = await query<{ directory: string; was: boolean; is: boolean }>(
    `with wanted as materialized (select directory collate "C", digest collate "C" from ${wanted}),
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
    [tenant, parameter, version],
  );
  const pick = (was: boolean, is: boolean): readonly string[] =>
    changes.filter((change) => change.was === was && change.is === is).map(({ directory }) => directory);
  const publication = { added: pick(false, true), changed: pick(true, true), removed: pick(true, false) };
  await noteClosest(query, tenant);
  if (changes.length === 0) return { version: before, ...publication };
  await query('update skillful.tenants set version = $2 where tenant = $1', [tenant, version]);
  await query(
    `insert into skillful.versions (tenant, version, skills)
    select $1, $2, count(*) from skillful.skills where tenant = $1 and last is null`,
    [tenant, version],
  );
  await query("select pg_notify($1, '')", [channelOf(tenant)]);
  return { version, ...publication };
}

/** Waits until no one else changes the versions of a tenant, and returns the current one. The lock ends with the transaction. */
async function lockTenant(query: Query, tenant: string): Promise<number> {
  const [current] = await query<{ version: number }>(
    'select version from skillful.tenants where tenant = $1 for update',
    [tenant],
  );
  return current?.version ?? 0;
}
