// Defines the tables of a fleet, and who may read and write them.

import { searchFunction } from './search-function.ts';

/** The condition for rows of the tenant that the transaction has set. */
const own = "tenant = (select current_setting('skillful.tenant', true))";

const protect = (table: string): readonly string[] => [
  `alter table skillful.${table} enable row level security`,
  `drop policy if exists reading on skillful.${table}`,
  // Everyone may read the skills of the tenant with the empty name, which all tenants share.
  `create policy reading on skillful.${table} for select using (tenant = '' or ${own})`,
  `drop policy if exists publishing on skillful.${table}`,
  `create policy publishing on skillful.${table} to skillful_publisher using (${own}) with check (${own})`,
  `grant select on skillful.${table} to skillful_reader`,
  `grant select, insert, update, delete on skillful.${table} to skillful_publisher`,
];

/** Returns a statement that does nothing if another session has just done the same, or if it fails with one of the conditions. */
const orDone = (work: string, ...conditions: readonly string[]): string => {
  const ignored = ['duplicate_object', 'unique_violation', ...conditions].join(' or ');
  return `do $$ begin ${work}; exception when ${ignored} then null; end $$`;
};

/**
 * Statements that prepare a database for skills, in one transaction. Indexes sort texts by their bytes, because they would be
 * damaged if an update of the operating system changed the order of a language.
 */
export const schema: readonly string[] = [
  'create schema if not exists skillful',
  ...['skillful_reader', 'skillful_publisher'].flatMap((role) => [
    orDone(`if to_regrole('${role}') is null then create role ${role} nologin; end if`),
    // An administrator may have created the roles for a login that may not grant them.
    orDone(`grant ${role} to current_user`, 'insufficient_privilege'),
    `grant usage on schema skillful to ${role}`,
  ]),

  // The current version of each tenant, locked while a new one is published. For that version, the words that many skills have
  // and how many have each, and for each off-topic question the similarity of the closest skill.
  `create table if not exists skillful.tenants (
    tenant text collate "C" primary key,
    version integer not null,
    common text[] not null default '{}',
    holders double precision[] not null default '{}',
    closest double precision[] not null default '{}'
  )`,
  `create table if not exists skillful.versions (
    tenant text collate "C" not null,
    version integer not null,
    published timestamptz not null default now(),
    skills integer not null,
    primary key (tenant, version)
  )`,
  // Published skills by digest. Rows are never changed.
  `create table if not exists skillful.bundles (
    tenant text collate "C" not null,
    digest text collate "C" not null,
    head bytea not null,
    sidecar bytea,
    bytes integer not null,
    has_files boolean not null,
    truncated boolean not null,
    refused text[] not null,
    name text,
    plugin text,
    profile text,
    words tsvector not null,
    sent timestamptz not null default now(),
    primary key (tenant, digest)
  )`,
  'create index if not exists bundles_words on skillful.bundles using gin (words)',
  // The files of these skills. A file without content was too large to be published.
  `create table if not exists skillful.files (
    tenant text collate "C" not null,
    digest text collate "C" not null,
    path text collate "C" not null,
    bytes bigint not null,
    content bytea,
    primary key (tenant, digest, path),
    foreign key (tenant, digest) references skillful.bundles on delete cascade
  )`,
  // The bundle of a directory, from version \`first\` until before version \`last\`.
  `create table if not exists skillful.skills (
    tenant text collate "C" not null,
    directory text collate "C" not null,
    digest text collate "C" not null,
    first integer not null,
    last integer,
    primary key (tenant, directory, first),
    foreign key (tenant, digest) references skillful.bundles
  )`,
  'create index if not exists skills_digest on skillful.skills (tenant, digest)',

  ...['tenants', 'versions', 'bundles', 'files', 'skills'].flatMap(protect),
  ...searchFunction,
];

/** Adds the extension for vectors if the server has it. A managed server may list it, and still refuse it. */
export const addVectors: string = orDone(
  `if exists (select from pg_available_extensions where name = 'vector' and installed_version is null) then
    create extension if not exists vector;
  end if`,
  'insufficient_privilege',
  'feature_not_supported',
);

/**
 * Returns statements for vectors. `pgvector` is the quoted name of the schema that has the extension. The length of a vector is not
 * fixed, because any model may be used. `closeness` is its similarity to each off-topic question.
 */
export const vectorSchema = (pgvector: string): readonly string[] => [
  // Other roles may not use the schema of the extension, and this login may not be able to change that.
  orDone(
    `if not (select has_schema_privilege('skillful_reader', extnamespace, 'usage') from pg_extension where extname = 'vector') then
      execute (select format('grant usage on schema %s to skillful_reader, skillful_publisher', extnamespace::regnamespace)
        from pg_extension where extname = 'vector');
    end if`,
    'insufficient_privilege',
  ),
  `create table if not exists skillful.vectors (
    tenant text collate "C" not null,
    digest text collate "C" not null,
    vector ${pgvector}.vector not null,
    length integer not null generated always as (${pgvector}.vector_dims(vector)) stored,
    closeness double precision[] not null,
    primary key (tenant, digest),
    foreign key (tenant, digest) references skillful.bundles on delete cascade
  )`,
  ...protect('vectors'),
];
