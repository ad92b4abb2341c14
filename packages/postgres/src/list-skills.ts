// Reads the skills of a version, with their heads.

import { type ListOptions, type SkillEntry, SkillError, type SkillProfile } from '@skillful/core';
import { checkListedPath, isPathFor } from '@skillful/core/extending';
import type { Query } from './client.ts';

/** Skills per statement. */
const pageLength = 5_000;

/** More characters than a name, or the name of a plugin, may have. */
const longestName = 300;

/** The condition for skills of the version in the parameter `$2`. */
export const inVersion = 'first <= $2::int and (last is null or last > $2::int)';

/** A version to list. */
export interface ListedVersion {
  readonly version: number;
  /** When it was published; null if nothing was ever published. A tenant that was removed begins with version 1 again. */
  readonly published: string | null;
}

/** What a query selects of the time: text, because an application may have its own parsers for dates and numbers. */
const time = 'extract(epoch from published)::text as published';

/** Finds the version to read; `undefined` if the tenant has no version. */
export async function findVersion(
  query: Query,
  tenant: string,
  wanted: number | undefined,
): Promise<ListedVersion | undefined> {
  if (wanted === undefined) {
    const [current] = await query<ListedVersion>(
      `select version, ${time} from skillful.tenants left join skillful.versions using (tenant, version)
      where tenant = $1`,
      [tenant],
    );
    return current;
  }
  const [known] = await query<ListedVersion>(
    `select version, ${time} from skillful.versions where tenant = $1 and version = $2::float8`,
    [tenant, wanted],
  );
  if (known !== undefined) return known;
  throw new SkillError('source-failed', `there is no version ${wanted}; \`listVersions\` returns those there are`);
}

interface WantedPage extends ListedVersion {
  readonly tenant: string;
  /** The last directory of the previous page. */
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

/** Bytes of a head or a sidecar to read: more than allowed, so that a longer one is recognised. */
const headBytes = 17 * 1024;

/** One page of skills, and the directories of invalid rows, which anyone with write access may have written. */
export interface SkillPage {
  readonly entries: readonly SkillEntry[];
  readonly invalid: readonly string[];
  /** The last directory on the page; undefined if there are no more skills. */
  readonly last: string | undefined;
  /** Whether the version or its tenant was removed meanwhile, so that the page may lack skills. */
  readonly isRemoved: boolean;
}

/** Lists the next skills by directory. Does not read the heads of known skills. */
export async function listPage(
  query: Query,
  { tenant, version, published, after, known = new Map() }: WantedPage,
): Promise<SkillPage> {
  // Bundles are looked up one by one, because PostgreSQL would join all skills of the tenant for each page.
  const rows = await query<Row>(
    `select s.directory, s.digest, b.bytes, b.has_files, left(b.name, ${longestName}) as name,
      left(b.plugin, ${longestName}) as plugin, left(b.profile, 9) as profile
    from (
      select directory, digest from skillful.skills
      where tenant = $1 and ${inVersion} and directory > $3
      order by directory limit ${pageLength}
    ) s cross join lateral (select * from skillful.bundles where tenant = $1 and digest = s.digest limit 1) b
    order by s.directory`,
    [tenant, version, after],
  );
  const valid = rows.filter(isValid);
  const changed = valid.flatMap(({ directory, digest }) => (known.get(directory)?.stamp === digest ? [] : [digest]));
  const heads = new Map<string, Head>();
  if (changed.length > 0) {
    const found = await query<Head>(
      `select digest, substring(head from 1 for ${headBytes}) as head,
        substring(sidecar from 1 for ${headBytes}) as sidecar
      from skillful.bundles where tenant = $1 and digest = any($2::text[])`,
      [tenant, changed],
    );
    for (const head of found) heads.set(head.digest, head);
  }
  const [now] = await query<ListedVersion>(`select ${time} from skillful.versions where tenant = $1 and version = $2`, [
    tenant,
    version,
  ]);
  return {
    entries: valid.map((row) => toEntry(row, heads.get(row.digest))),
    invalid: rows.filter((row) => !isValid(row)).map(({ directory }) => directory),
    last: rows.length === pageLength ? rows.at(-1)?.directory : undefined,
    isRemoved: (now?.published ?? null) !== published,
  };
}

/**
 * Checks the fields that other code relies on. The digest identifies a skill among those of all sources, and skills are stored by
 * name.
 */
function isValid({ directory, digest, bytes, plugin }: Row): boolean {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest) || bytes < 0 || directory.length > 2 * longestName) return false;
  return isPathFor(checkListedPath, directory) && (plugin?.length ?? 0) < longestName;
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
