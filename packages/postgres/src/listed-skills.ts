// Finds the skills of an index by what the database returns, which may be newer than the catalog.

import type { Skill } from '@skillful/core';
import { foldName } from '@skillful/core/extending';
import type { Query } from './client.ts';
import type { FoundSkill } from './find-rows.ts';

/** The skills of an index. */
export interface ListedSkills {
  readonly size: number;
  /** Returns the digests of the skills with a name. */
  digestsOf(name: string): readonly string[];
  /** Returns a function that returns the listed skill for a digest that was found, if there is one. */
  match(query: Query, found: readonly FoundSkill[]): Promise<(digest: string) => Skill | undefined>;
}

/** Digests by name or directory. */
type Groups = ReadonlyMap<string, readonly string[]>;

/** Lists the skills that have a digest. */
export function createListedSkills(skills: readonly Skill[]): ListedSkills {
  const byDigest = new Map<string | undefined, Skill>(skills.map((skill) => [skill.identity, skill]));
  byDigest.delete(undefined);
  let byName: Groups | undefined;
  let byDirectory: Groups | undefined;
  return {
    size: byDigest.size,
    digestsOf(name) {
      byName ??= groupDigests(byDigest.values(), (skill) => foldName(skill.name));
      return byName.get(foldName(name)) ?? [];
    },
    async match(query, found) {
      byDirectory ??= groupDigests(byDigest.values(), ({ directory }) => directory);
      const groups = byDirectory;
      const pairs = found.flatMap(({ tenant, directory, digest: newer }) =>
        byDigest.has(newer) ? [] : (groups.get(directory) ?? []).map((digest) => ({ tenant, digest, newer })),
      );
      const older = new Map((await keepKnown(query, pairs)).map(({ newer, digest }) => [newer, digest]));
      return (digest) => byDigest.get(older.get(digest) ?? digest);
    },
  };
}

function groupDigests(skills: Iterable<Skill>, keyOf: (skill: Skill) => string): Groups {
  const groups = new Map<string, string[]>();
  for (const skill of skills) {
    const key = keyOf(skill);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [skill.identity ?? '']);
    else group.push(skill.identity ?? '');
  }
  return groups;
}

/** A tenant, and the digest of a skill. */
interface Pair {
  readonly tenant: string;
  readonly digest: string;
}

/** Keeps the pairs in which the tenant has the skill in any version. */
async function keepKnown<Own extends Pair>(query: Query, pairs: readonly Own[]): Promise<readonly Own[]> {
  if (pairs.length === 0) return [];
  const rows = await query<Pair>(
    `select b.tenant, b.digest from unnest($1::text[]) as listed (digest) cross join lateral (
      select tenant, digest from skillful.bundles where digest = listed.digest limit 2
    ) b`,
    [pairs.map(({ digest }) => digest)],
  );
  const keyOf = ({ tenant, digest }: Pair): string => JSON.stringify([tenant, digest]);
  const known = new Set(rows.map(keyOf));
  return pairs.filter((pair) => known.has(keyOf(pair)));
}
