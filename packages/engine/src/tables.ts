/** Where pg-boss keeps its jobs. */
export const JOBS_SCHEMA = 'saga_jobs';
/** The version of SAGA's tables. A machine refuses to work with another version. */
export const TABLES_VERSION = 2;

/**
 * SAGA's own tables, beside pg-boss's. All times are the database's, so that clocks of machines do not
 * matter. Every statement may be repeated.
 */
export const CREATE_TABLES = `
create schema if not exists saga;
create table if not exists saga.version (
  one boolean primary key default true check (one),
  number int not null
);
create table if not exists saga.queue (
  name text primary key,
  repository text not null,
  kind text not null,
  needs text[] not null
);
create index if not exists queue_of_repository on saga.queue (repository, kind);
create sequence if not exists saga.lease_number;
create table if not exists saga.lease (
  number bigint primary key default nextval('saga.lease_number'),
  job uuid not null,
  attempt int not null,
  machine text not null,
  taken_at timestamptz not null default clock_timestamp()
);
create index if not exists lease_of_job on saga.lease (job, number desc);
create table if not exists saga.machine (
  name text primary key,
  instance text not null,
  labels text[] not null,
  repositories jsonb not null,
  jobs int not null,
  saga_version text not null,
  client_version text not null,
  since timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  wish text not null default 'work'
);
alter table saga.machine add column if not exists trouble text;
create table if not exists saga.news (
  position bigserial primary key,
  repository text not null,
  session text not null,
  story text not null,
  machine text not null,
  first_line int not null,
  lines jsonb not null,
  record jsonb,
  at timestamptz not null default clock_timestamp()
);
create index if not exists news_of_repository on saga.news (repository, position);
create index if not exists news_at on saga.news (at);
create table if not exists saga.word (
  id bigserial primary key,
  repository text not null,
  story text not null,
  kind text not null,
  content jsonb,
  sender text not null,
  at timestamptz not null default clock_timestamp(),
  heard_at timestamptz
);
create index if not exists word_unheard on saga.word (repository, story) where heard_at is null;
insert into saga.version (number) values (${TABLES_VERSION})
  on conflict (one) do update set number = greatest(saga.version.number, excluded.number);
`;

/** Removes what is older than \`$1\` days, except words that nobody has heard. */
export const FORGET_OLD = [
  `delete from saga.news where at < now() - $1 * interval '1 day'`,
  `delete from saga.word where heard_at < now() - $1 * interval '1 day'`,
  `delete from saga.lease where taken_at < now() - $1 * interval '1 day'
     and not exists (select from ${JOBS_SCHEMA}.job j where j.id = saga.lease.job)`,
  `delete from saga.machine where seen_at < now() - $1 * interval '1 day'`,
] as const;
