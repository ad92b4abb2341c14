// The search, as a function of the database: which skills have the rarest words of a query.

/** Skills that are ranked, about: those with the rarest words of the query. */
const mostRanked = 2_000;

/** Words of a query that count, the rarest first. */
const maxWords = 24;

/**
 * `skillful.search(query, words, most)` sees the skills that row-level security shows to whoever calls it. It says so itself
 * and runs as its owner, because PostgreSQL uses no index for words on a table with row-level security.
 */
export const searchFunction: readonly string[] = [
  `create or replace function skillful.search(query text, words text[], most integer)
  returns table (digest text, score double precision, coverage double precision, matched text[])
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    with frequencies as materialized (
      -- What ANALYZE has counted; a word that is not there is rare.
      select lexeme, frequency from pg_stats s,
        unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as common (lexeme, frequency)
      where s.schemaname = 'skillful' and s.tablename = 'bundles' and s.attname = 'words' and lexeme is not null
    ),
    terms as materialized (
      select t.lexeme, ('''' || t.lexeme || '''')::tsquery as term, min(w.word) as word,
        coalesce(min(f.frequency), 0.0001) as frequency
      from unnest($2) as w (word), unnest(to_tsvector('english', w.word)) as t left join frequencies f using (lexeme)
      where t.lexeme !~ '[''\\\\]'
      group by t.lexeme order by 4, 1 limit ${maxWords}
    ),
    ranked as materialized (
      select term, word, ln(1 + 1 / frequency) as weight,
        (sum(frequency) over (order by frequency, lexeme)) * skills <= ${mostRanked}
          or row_number() over (order by frequency, lexeme) = 1 as selects
      from terms, (select reltuples as skills from pg_class where oid = 'skillful.bundles'::regclass) as all_skills
    ),
    -- The concatenation reads the words of a skill once, instead of once for each word of the query.
    candidates as materialized (
      select b.tenant, b.digest, b.words || ''::tsvector as words from skillful.bundles b
      where b.words @@ (select string_agg(term::text, '|')::tsquery from ranked where selects)
        and (b.tenant = '' or b.tenant = current_setting('skillful.tenant', true))
      union all
      select b.tenant, b.digest, b.words from skillful.skills s join skillful.bundles b using (tenant, digest)
      where s.directory = $1 and s.last is null
        and (s.tenant = '' or s.tenant = current_setting('skillful.tenant', true))
        and not b.words @@ (select string_agg(term::text, '|')::tsquery from ranked where selects)
    ),
    found as (
      select c.tenant, c.digest,
        sum(r.weight * ts_rank('{0.1,0.2,0.6,1}', c.words, r.term)) as score,
        sum(r.weight) / (select sum(weight) from ranked) as coverage,
        array_agg(r.word order by r.word) as matched
      from candidates c join ranked r on c.words @@ r.term
      group by c.tenant, c.digest
    )
    select s.digest, f.score + case when s.directory = $1 then 1000 else 0 end, f.coverage, f.matched
    from found f join skillful.skills s using (tenant, digest)
    where s.last is null
    order by 2 desc, s.directory limit $3
  $$`,
  'revoke all on function skillful.search(text, text[], integer) from public',
  'grant execute on function skillful.search(text, text[], integer) to skillful_reader, skillful_publisher',

  // Only the owner of a table may count its words. It takes seconds, so it waits until a tenth of the skills are new.
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
