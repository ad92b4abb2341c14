// Lists the tenants of a database, and removes one.

import { createSession, notify, type SkillDatabase, type TenantOptions, transact } from './database.ts';
import { lockTenant } from './set-skills.ts';
import { type SkillVersion, type VersionRow, versionColumns } from './versions.ts';

/** A tenant, and the current version of its skills. */
export interface SkillTenant extends SkillVersion {
  /** Undefined for the skills that all tenants share. */
  readonly tenant: string | undefined;
}

/**
 * Lists all tenants that have published, sorted by name. Needs the login that called `setUpDatabase`, because agents and publishers
 * see only one tenant at a time.
 *
 * @throws {SkillError} `source-failed`
 */
export async function listTenants(
  database: SkillDatabase,
  { signal }: Pick<TenantOptions, 'signal'> = {},
): Promise<readonly SkillTenant[]> {
  const rows = await transact({ database, role: 'owner', tenant: '', signal }, async (query) => {
    // So that any other login is refused, instead of seeing less.
    await query("select set_config('row_security', 'off', true)");
    return query<VersionRow & { readonly tenant: string }>(
      `select tenant, ${versionColumns} from skillful.tenants join skillful.versions using (tenant, version)
      order by tenant`,
    );
  });
  return rows.map((row) => ({ ...row, tenant: row.tenant || undefined, published: new Date(row.published) }));
}

/**
 * Removes all versions, skills and files of a tenant at once, also those that were sent and never published. It can publish again
 * later, and begins with version 1 then.
 *
 * @throws {SkillError} `source-failed`; `options-invalid`
 */
export async function removeTenant(
  database: SkillDatabase,
  tenant: string,
  { signal }: Pick<TenantOptions, 'signal'> = {},
): Promise<void> {
  const session = createSession(database, 'skillful_publisher', { tenant, signal });
  await transact(session, async (query) => {
    await lockTenant(query, tenant);
    // Files and vectors are removed with their bundles.
    for (const table of ['skills', 'bundles', 'versions', 'tenants'])
      await query(`delete from skillful.${table} where tenant = $1`, [tenant]);
    await notify(query, tenant);
  });
}
