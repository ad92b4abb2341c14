// Defines the search as a function of the database: it finds the skills with the rarest words of a query.

import { exactName } from '@skillful/core/extending';

/** About how many skills are ranked: those with the rarest words of the query. */
const mostRanked = 2_000;

/** Words of a query that are used, rarest first. */
const maxWords = 24;

/** The condition of row-level security, and the condition for bundles that have a word by which skills are looked up. */
const isVisible = "(b.tenant = '' or b.tenant = current_setting('skillful.tenant', true))";
const isSelected = "b.words @@ (select string_agg(term::text, '|')::tsquery from ranked where selects)";

/**
 * `skillful.search(named, words, most, skills)` searches the skills that row-level security shows to the caller, of which there
 * are about `skills`. Those with the digests `named` have the query as their name. It runs as its owner and repeats the condition
 * of row-level security itself, because with that, PostgreSQL does not use the index for words. Words count as in the core.
 */
export const searchFunction: readonly string[] = [
  `create or replace function skillful.search(named text[], words text[], most integer, skills integer)
  returns table (
    digest text, score double precision, covered double precision, matched text[], holders double precision[]
  )
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    -- The share of bundles that have each common word, as ANALYZE has counted. A word that is not there is rare.
    with frequencies as materialized (
      select lexeme, frequency from pg_stats s,
        unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as common (lexeme, frequency)
      where s.schemaname = 'skillful' and s.tablename = 'bundles' and s.attname = 'words' and lexeme is not null
    ),
    -- The rarest words of the query.
    terms as materialized (
      select t.lexeme, ('''' || t.lexeme || '''')::tsquery as term, min(w.word) as word, min(w.place) as place,
        coalesce(min(f.frequency), 0.0001) as frequency
      from unnest($2) with ordinality as w (word, place), unnest(to_tsvector('english', w.word)) as t
        left join frequencies f using (lexeme)
      group by t.lexeme order by frequency, lexeme limit ${maxWords}
    ),
    -- The first words count up to twice as much as the last ones. Skills are looked up by the rarest words: as many of them as about
    -- ${mostRanked} skills have, and at least one.
    ranked as materialized (
      select lexeme, term, word, frequency,
        (1 + exp((1 - row_number() over (order by place, lexeme)) / 10.0)) / 2 as share,
        (sum(frequency) over (order by frequency, lexeme)) * bundles <= ${mostRanked}
          or row_number() over (order by frequency, lexeme) = 1 as selects
      from terms, (select reltuples as bundles from pg_class where oid = 'skillful.bundles'::regclass) as all_bundles
    ),
    -- The concatenation reads the words of a skill once, instead of once for each word of the query.
    candidates as materialized (
      select b.tenant, b.digest, b.words || ''::tsvector as words from skillful.bundles b
      where ${isSelected} and ${isVisible}
      union all
      select b.tenant, b.digest, b.words from skillful.bundles b
      where b.digest = any($1) and ${isVisible} and (${isSelected}) is not true
    ),
    -- The weights are those of the body, of nothing, of the purpose and of the name. A word of the purpose counts about 1.
    matches as materialized (
      select c.tenant, c.digest, r.lexeme, r.word, 3 * ts_rank('{0.1,0.2,0.6,1}', c.words, r.term) as often
      from candidates c join ranked r on c.words @@ r.term
    ),
    -- How many skills have each word, anywhere and outside the body, where it counts at least 1: counted if it was looked up, else
    -- estimated.
    counted as materialized (
      select r.lexeme, r.share,
        case when r.selects then count(m.digest) else r.frequency * $4 end as everywhere,
        case when r.selects then count(*) filter (where m.often >= 1) else r.frequency * $4 end as described
      from ranked r left join matches m using (lexeme) group by r.lexeme, r.share, r.selects, r.frequency
    ),
    -- In a small catalog, a word is as rare as in one of 1,000.
    weighted as materialized (
      select lexeme, least(described, $4) as holders,
        share * ln(1 + greatest($4, 1000) / greatest(everywhere, 1)) as weight
      from counted
    ),
    found as (
      select m.tenant, m.digest, sum(w.weight * m.often) as score,
        sum(w.weight) / (select sum(weight) from weighted) as covered, array_agg(m.word order by m.word) as matched
      from matches m join weighted w using (lexeme)
      group by m.tenant, m.digest
      union all
      -- Skills whose name is the query, but has only words that are never looked up.
      select c.tenant, c.digest, 0, 0, '{}' from candidates c
      where c.digest = any($1)
        and not exists (select from matches m where m.tenant = c.tenant and m.digest = c.digest)
    )
    select s.digest, f.score + case when s.digest = any($1) then ${exactName} else 0 end as score, f.covered, f.matched,
      (select array_agg(holders) from weighted)
    from found f join skillful.skills s using (tenant, digest)
    where s.last is null
    order by score desc, s.directory limit $3
  $$`,
  'revoke all on function skillful.search(text[], text[], integer, integer) from public',
  'grant execute on function skillful.search(text[], text[], integer, integer) to skillful_reader, skillful_publisher',

  // Only the owner of a table may count its words. Counting takes seconds, so it is only done once a tenth of the skills are new.
  `create or replace function skillful.count_words(new_skills integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin
      if new_skills * 10 >= (select reltuples from pg_class where oid = 'skillful.bundles'::regclass) then
        analyze skillful.bundles, skillful.skills;
      end if;
    end
  $$`,
  'revoke all on function skillful.count_words(integer) from public',
  'grant execute on function skillful.count_words(integer) to skillful_publisher',
];
