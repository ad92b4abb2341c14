// Reads which skills a version has, with the head of each.

import { type ListOptions, type SkillEntry, SkillError, type SkillProfile } from '@skillful/core';
import type { Query } from './client.ts';

/** Skills of one statement. */
export const pageLength = 5_000;

/** Finds the version to list; `undefined` if the tenant has none. */
export async function findVersion(
  query: Query,
  tenant: string,
  wanted: number | undefined,
): Promise<number | undefined> {
  if (wanted === undefined) {
    const [row] = await query<{ version: number }>('select version from skillful.tenants where tenant = $1', [tenant]);
    return row?.version;
  }
  const known = await query('select from skillful.versions where tenant = $1 and version = $2', [tenant, wanted]);
  if (known.length > 0) return wanted;
  throw new SkillError('source-failed', `there is no version ${wanted}; \`listVersions\` returns those there are`);
}

interface Page {
  readonly tenant: string;
  readonly version: number;
  /** The last directory of the page before. */
  readonly after: string;
  readonly known: ListOptions['known'];
}

interface Row {
  readonly directory: string;
  readonly digest: string;
  readonly bytes: number;
  readonly has_files: boolean;
  readonly name: string | null;
  readonly plugin: string | null;
  readonly profile: SkillProfile | null;
}

interface Head {
  readonly digest: string;
  readonly head: Uint8Array;
  readonly sidecar: Uint8Array | null;
}

/** Lists the next skills by directory. The heads of those that are known stay in the database. */
export async function listPage(
  query: Query,
  { tenant, version, after, known = new Map() }: Page,
): Promise<readonly SkillEntry[]> {
  const rows = await query<Row>(
    `select s.directory, s.digest, b.bytes, b.has_files, b.name, b.plugin, b.profile
    from skillful.skills s join skillful.bundles b using (tenant, digest)
    where s.tenant = $1 and s.first <= $2::int and (s.last is null or s.last > $2::int) and s.directory > $3
    order by s.directory limit ${pageLength}`,
    [tenant, version, after],
  );
  const changed = rows.flatMap(({ directory, digest }) => (known.get(directory)?.stamp === digest ? [] : [digest]));
  const heads = new Map<string, Head>();
  if (changed.length > 0) {
    const found = await query<Head>(
      'select digest, head, sidecar from skillful.bundles where tenant = $1 and digest = any($2::text[])',
      [tenant, changed],
    );
    for (const head of found) heads.set(head.digest, head);
  }
  return rows.map((row) => toEntry(row, heads.get(row.digest)));
}

function toEntry(
  { directory, digest, bytes, has_files, name, plugin, profile }: Row,
  head: Head | undefined,
): SkillEntry {
  return {
    directory,
    location: `${directory}/SKILL.md`,
    head: head?.head ?? new Uint8Array(),
    bytes,
    identity: digest,
    stamp: digest,
    hasFiles: has_files,
    ...(head?.sidecar ? { sidecar: head.sidecar } : {}),
    ...(name === null ? {} : { name }),
    ...(plugin === null ? {} : { plugin }),
    ...(profile === null ? {} : { profile }),
  };
}
