// The search, as a function of the database: which skills have the rarest words of a query.

/** At most this share of the skills is ranked, if the query has rare words. */
const rankedShare = 0.05;

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
      select t.lexeme, ('''' || t.lexeme || '''')::tsquery as term, array_agg(distinct w.word) as words,
        coalesce(min(f.frequency), 0.0001) as frequency
      from unnest($2) as w (word), unnest(to_tsvector('english', w.word)) as t left join frequencies f using (lexeme)
      where t.lexeme !~ '[''\\\\]'
      group by t.lexeme order by 4, 1 limit ${maxWords}
    ),
    ranked as materialized (
      select *, ln(1 + 1 / frequency) as weight,
        sum(frequency) over (order by frequency, lexeme) <= ${rankedShare}
          or row_number() over (order by frequency, lexeme) = 1 as selects
      from terms
    ),
    candidates as (
      select b.tenant, b.digest, b.words from skillful.bundles b
      where b.words @@ (select string_agg(term::text, '|')::tsquery from ranked where selects)
        and (b.tenant = '' or b.tenant = current_setting('skillful.tenant', true))
      union
      select b.tenant, b.digest, b.words from skillful.skills s join skillful.bundles b using (tenant, digest)
      where s.directory = $1 and s.last is null
        and (s.tenant = '' or s.tenant = current_setting('skillful.tenant', true))
    ),
    found as (
      select c.tenant, c.digest,
        sum(r.weight * ts_rank('{0.1,0.2,0.6,1}', c.words, r.term)) as score,
        sum(r.weight) / (select sum(weight) from ranked) as coverage,
        array_agg(distinct word) as matched
      from candidates c join ranked r on c.words @@ r.term, unnest(r.words) as word
      group by c.tenant, c.digest
    )
    select s.digest, f.score + case when s.directory = $1 then 1000 else 0 end, f.coverage, f.matched
    from found f join skillful.skills s using (tenant, digest)
    where s.last is null
    order by 2 desc, s.directory limit $3
  $$`,
  'revoke all on function skillful.search from public',
  'grant execute on function skillful.search to skillful_reader, skillful_publisher',

  // Only the owner of a table may count its words.
  `create or replace function skillful.count_words() returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    begin analyze skillful.bundles, skillful.skills; end
  $$`,
  'revoke all on function skillful.count_words from public',
  'grant execute on function skillful.count_words to skillful_publisher',
];
