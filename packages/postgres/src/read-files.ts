// Reads the files of one published skill.

import { type ReadFileOptions, type SkillDirectory, SkillError, type SkillFileListing } from '@skillful/core';
import { checkListedPath, isPathFor } from '@skillful/core/extending';
import type { Query } from './client.ts';

/** Selects the bundle that was listed, or else the current one of the directory. */
const bundle = `skillful.bundles b where b.tenant = $1 and b.digest = coalesce($2::text,
  (select digest from skillful.skills where tenant = $1 and directory = $3 and last is null))`;

/** The real size of a file. A file without content has the size that it had when it was published. */
const bytes = 'greatest(coalesce(octet_length(f.content), f.bytes), 0)::float8';

/** The most files of a skill that are listed, the same as for a digest or a run of a script. */
const maxFiles = 10_000;

/** The most unreadable paths that a listing names, and more characters than any path may have. */
const [maxRefused, longestPath] = [20, 4_097];

/** Lists the files of a skill except its `SKILL.md`. */
export async function listBundledFiles(query: Query, tenant: string, skill: SkillDirectory): Promise<SkillFileListing> {
  const [row] = await query<{ digest: string; truncated: boolean; refused: string[] }>(
    `select b.digest, b.truncated, array(
      select left(path, ${longestPath}) from unnest(b.refused) as path where path is not null limit ${maxRefused}
    ) as refused from ${bundle}`,
    keyOf(tenant, skill),
  );
  if (row === undefined) throw unknownSkill(skill);
  const found = await query<{ path: string; bytes: number }>(
    `select left(path, ${longestPath}) as path, ${bytes} as bytes from skillful.files f
    where tenant = $1 and digest = $2 and path <> 'SKILL.md' order by path limit ${maxFiles + 1}`,
    [tenant, row.digest],
  );
  const listed = found.slice(0, maxFiles);
  const invalid = listed.map(({ path }) => path).filter((path) => !isPathFor(checkListedPath, path));
  const refused = [...row.refused, ...invalid].slice(0, maxRefused);
  return {
    files: listed.filter(({ path }) => isPathFor(checkListedPath, path)),
    truncated: row.truncated || found.length > maxFiles,
    ...(refused.length === 0 ? {} : { refused }),
  };
}

interface WantedFile extends Pick<ReadFileOptions, 'maxBytes' | 'length'> {
  readonly tenant: string;
  readonly skill: SkillDirectory;
  readonly path: string;
}

/** Reads one file or its beginning. */
export async function readBundledFile(
  query: Query,
  { tenant, skill, path, maxBytes = 5 * 1024 * 1024, length }: WantedFile,
): Promise<Uint8Array> {
  const [file] = await query<{ bytes: number | null; content: Uint8Array | null }>(
    `select case when f.path is not null then ${bytes} end as bytes,
      case when $6::int is not null then substring(f.content from 1 for $6::int)
        when octet_length(f.content) <= $5::bigint then f.content end as content
    from (select b.tenant, b.digest from ${bundle}) k
    left join skillful.files f on f.tenant = k.tenant and f.digest = k.digest and f.path = $4`,
    [...keyOf(tenant, skill), path, clamp(maxBytes), length === undefined ? null : clamp(length)],
  );
  if (file === undefined) throw unknownSkill(skill);
  if (file.bytes === null) throw new SkillError('resource-unknown', `\`${skill.directory}\` has no file \`${path}\`.`);
  // A copy, because small buffers of Node share memory.
  if (file.content !== null) return new Uint8Array(file.content);
  const limit = file.bytes > maxBytes ? `the limit is ${maxBytes}` : 'it was too large to be published';
  throw new SkillError(
    'resource-too-large',
    `\`${path}\` of \`${skill.directory}\` has ${file.bytes} bytes; ${limit}.`,
  );
}

/** Returns the parameters that identify the bundle of a skill. */
function keyOf(tenant: string, { identity, directory }: SkillDirectory): readonly unknown[] {
  return [tenant, identity ?? null, directory];
}

/** Limits a number for PostgreSQL, which has no infinite integers, and no values of 1 GiB or more. */
function clamp(bytes: number): number {
  return Math.min(bytes, 2 ** 30);
}

function unknownSkill({ directory }: SkillDirectory): SkillError {
  return new SkillError('skill-unknown', `The database has no skill \`${directory}\`. Load the catalog again.`);
}
