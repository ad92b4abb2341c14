// Defines the search as a function of the database: it finds the skills with the rarest words of a query.

import { exactName } from '@skillful/core/extending';

/** About how many skills are looked up by common words. */
const mostRanked = 2_000;

/** Words of a query that are used, rarest first. */
const maxWords = 24;

/**
 * Returns an expression for the word that all bundles of a tenant have. Without it, the index would return the bundles of all
 * tenants that have the words of a query. No text has such a word, because of its sign.
 */
export const wordOf = (tenant: string): string =>
  `'=' || left(encode(sha256(convert_to(${tenant}, 'UTF8')), 'hex'), 16)`;

/** The condition of row-level security, and the condition for bundles that have a word by which skills are looked up. */
const isVisible = "(b.tenant = '' or b.tenant = current_setting('skillful.tenant', true))";
const isSelected = 'b.words @@ (select l.words from lookup l)';

/** The directory of a bundle, if it belongs to a current version. Looked up for each one, whatever the statistics are. */
const directory = `(
  select s.directory from skillful.skills s where s.tenant = b.tenant and s.digest = b.digest and s.last is null limit 1
) as directory`;

/**
 * `skillful.search(named, words, most, skills)` searches the skills that row-level security shows to the caller, of which there
 * are about `skills`. Those with the digests `named` have the query as their name. It runs as its owner and repeats the condition
 * of row-level security itself, because with that, PostgreSQL does not use the index for words. Words count as in the core.
 */
export const searchFunction: readonly string[] = [
  'drop function if exists skillful.search(text[], text[], integer, integer)',
  `create function skillful.search(named text[], words text[], most integer, skills integer)
  returns table (
    tenant text, directory text, digest text, score double precision, covered double precision, matched text[],
    holders double precision[]
  )
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    -- About how many skills have each common word. A word that is not there is rare.
    with common as materialized (
      select lexeme, sum(c.holders) as holders from skillful.tenants b,
        unnest(b.common, b.holders) as c (lexeme, holders)
      where ${isVisible} group by lexeme
    ),
    -- The rarest words of the query.
    terms as materialized (
      select t.lexeme, ('''' || t.lexeme || '''')::tsquery as term, min(w.word) as word, min(w.place) as place,
        min(c.holders) as holders
      from unnest($2) with ordinality as w (word, place), unnest(to_tsvector('english', w.word)) as t
        left join common c using (lexeme)
      group by t.lexeme order by min(c.holders) nulls first, lexeme limit ${maxWords}
    ),
    -- The first words count up to twice as much as the last ones. Skills are looked up by all rare words, and by as many common ones
    -- as about ${mostRanked} skills have. The others are too common.
    weighed as materialized (
      select lexeme, term, word, holders,
        (1 + exp((1 - row_number() over (order by place, lexeme)) / 10.0)) / 2 as share,
        holders is null or sum(holders) over (order by holders nulls first, lexeme) <= ${mostRanked} as selects
      from terms
    ),
    ranked as materialized (
      select *, row_number() over (partition by selects order by holders, lexeme) as place from weighed
    ),
    -- Rare words may be in no skill that fits, so skills are also looked up by the two rarest of the other words together, or by the
    -- rarest one.
    lookups as materialized (
      select string_agg(term::text, '|') filter (where selects) as rare,
        string_agg(term::text, '&') filter (where not selects and place <= 2) as pair,
        string_agg(term::text, '|') filter (where not selects and place = 1) as one, (
          select string_agg('''' || ${wordOf('tenant')} || '''', '|')::tsquery
          from unnest(array['', current_setting('skillful.tenant', true)]) as tenant
        ) as visible
      from ranked
    ),
    lookup as materialized (
      select nullif(concat_ws('|', rare, case
        when exists (select from skillful.bundles b where b.words @@ (pair::tsquery && visible)) then pair else one
      end), '')::tsquery && visible as words from lookups
    ),
    -- The concatenation reads the words of a skill once, instead of once for each word of the query.
    candidates as materialized (
      select b.tenant, b.digest, b.words || ''::tsvector as words, ${directory} from skillful.bundles b
      where ${isSelected} and ${isVisible}
      union all
      select b.tenant, b.digest, b.words, ${directory} from skillful.bundles b
      where b.digest = any($1) and ${isVisible} and (${isSelected}) is not true
    ),
    -- The weights are those of the body, of nothing, of the purpose and of the name. A word of the purpose counts about 1.
    matches as materialized (
      select c.tenant, c.digest, c.directory, r.lexeme, r.word,
        3 * ts_rank('{0.1,0.2,0.6,1}', c.words, r.term) as often
      from candidates c join ranked r on c.words @@ r.term where c.directory is not null
    ),
    -- How many skills have each word, anywhere and outside the body, where it counts at least 1: counted if it was looked up, else
    -- estimated.
    counted as materialized (
      select r.lexeme, r.share,
        case when r.selects then count(m.digest) else r.holders end as everywhere,
        case when r.selects then count(*) filter (where m.often >= 1) else r.holders end as described
      from ranked r left join matches m using (lexeme) group by r.lexeme, r.share, r.selects, r.holders
    ),
    -- In a small catalog, a word is as rare as in one of 1,000.
    weighted as materialized (
      select lexeme, least(described, $4) as holders,
        share * ln(1 + greatest($4, 1000) / greatest(everywhere, 1)) as weight
      from counted
    ),
    found as (
      select m.tenant, m.digest, m.directory, sum(w.weight * m.often) as score,
        sum(w.weight) / (select sum(weight) from weighted) as covered, array_agg(m.word order by m.word) as matched
      from matches m join weighted w using (lexeme)
      group by m.tenant, m.digest, m.directory
      union all
      -- Skills whose name is the query, but has only words that are never looked up.
      select c.tenant, c.digest, c.directory, 0, 0, '{}' from candidates c
      where c.digest = any($1) and c.directory is not null
        and not exists (select from matches m where m.tenant = c.tenant and m.digest = c.digest)
    )
    select f.tenant, f.directory, f.digest, f.score + case when f.digest = any($1) then ${exactName} else 0 end as score,
      f.covered, f.matched, (select array_agg(holders) from weighted)
    from found f order by score desc, f.directory limit $3
  $$`,
  'revoke all on function skillful.search(text[], text[], integer, integer) from public',
  'grant execute on function skillful.search(text[], text[], integer, integer) to skillful_reader, skillful_publisher',
];
