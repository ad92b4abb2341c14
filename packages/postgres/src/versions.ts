// Lists, restores and prunes the versions of a tenant's skills.

import { SkillError } from '@skillful/core';
import { createSession, type SkillDatabase, type TenantOptions, transact, withoutLoops } from './database.ts';
import { findVersion, inVersion } from './list-skills.ts';
import { lockTenant, type Publication, setSkills, type VersionedSkill } from './set-skills.ts';

/** A version that can be read or restored. */
export interface SkillVersion {
  readonly version: number;
  readonly published: Date;
  /** The number of its skills. */
  readonly skills: number;
}

/** What a query selects of a version. The time is in milliseconds, because an application may have its own parser for dates. */
export const versionColumns = 'version, (extract(epoch from published) * 1000)::float8 as published, skills';

/** A row with these columns. */
export type VersionRow = Omit<SkillVersion, 'published'> & { readonly published: number };

/** Lists the versions of a tenant's skills, newest first. */
export async function listVersions(
  database: SkillDatabase,
  options: TenantOptions = {},
): Promise<readonly SkillVersion[]> {
  const session = createSession(database, 'skillful_reader', options);
  const versions = await transact(session, (query) =>
    query<VersionRow>(`select ${versionColumns} from skillful.versions where tenant = $1 order by version desc`, [
      session.tenant,
    ]),
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
  checkWhole('version', version);
  const session = createSession(database, 'skillful_publisher', options);
  return transact(session, async (query) => {
    // Otherwise, another process could remove a part of the version meanwhile.
    await lockTenant(query, session.tenant);
    await findVersion(query, session.tenant, version);
    const skills = await query<VersionedSkill>(
      `select directory, digest from skillful.skills where tenant = $1 and ${inVersion}`,
      [session.tenant, version],
    );
    return setSkills(query, session.tenant, skills);
  });
}

/**
 * Removes all but the newest versions of a tenant, and the skills that only removed versions had. A process that listed such a
 * skill can no longer read it, so keep enough versions for your longest conversations. Also removes skills that were sent more than
 * a day ago and never published.
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
  checkWhole('keep', keep);
  const session = createSession(database, 'skillful_publisher', options);
  return transact(session, async (query) => {
    const known = await query('select from skillful.tenants where tenant = $1', [session.tenant]);
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
    const skills = await withoutLoops(query)(
      // A publication that failed may have left others behind. One that is running needs what it has sent.
      `delete from skillful.bundles b where tenant = $1
        and (digest = any($2::text[]) or sent < now() - interval '1 day')
        and not exists (select from skillful.skills s where s.tenant = b.tenant and s.digest = b.digest)
      returning digest`,
      [session.tenant, ended.map(({ digest }) => digest)],
    );
    // The row that only the lock needed.
    if (known.length === 0)
      await query('delete from skillful.tenants where tenant = $1 and version = 0', [session.tenant]);
    return { versions: versions.length, skills: skills.length };
  });
}

/** Checks the number of a version, or of versions, which has no default. @throws {SkillError} `options-invalid` */
export function checkWhole(name: string, value: number, least = 1): void {
  if (Number.isInteger(value) && value >= least) return;
  throw new SkillError(
    'options-invalid',
    `\`${name}\` must be a whole number from ${least}, not ${typeof value === 'number' ? value : `a value of type ${typeof value}`}.`,
  );
}
