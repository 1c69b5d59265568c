import { sql, type Kysely } from "kysely";

/** Creates runs, their log, its projections, and the function that claims a run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table owners (
     id text primary key,
     cap_microusd bigint check (cap_microusd >= 0),
     drawn_microusd bigint not null default 0 check (drawn_microusd >= 0),
     created_at timestamptz not null default now()
   )`,
  `create table brons (
     id uuid primary key,
     owner_id text not null references owners,
     name text not null,
     avatar_color text not null,
     system_prompt text not null,
     memory_summary text not null default '',
     trust_level text not null default 'supervised' check (trust_level in ('supervised', 'delegated', 'autonomous')),
     is_default boolean not null default false,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now()
   )`,
  `create unique index brons_default on brons (owner_id) where is_default`,
  `create table threads (
     id uuid primary key,
     owner_id text not null references owners,
     bron_id uuid not null references brons,
     title text not null default '',
     is_default boolean not null default false,
     created_at timestamptz not null default now()
   )`,
  `create unique index threads_default on threads (bron_id) where is_default`,
  // Every append updates this row. Free space on the page, and no index on the changed columns, let
  // Postgres update it in place.
  `create table runs (
     id uuid primary key,
     owner_id text not null references owners,
     bron_id uuid not null references brons,
     thread_id uuid not null references threads,
     parent_run_id uuid references runs,
     title text not null,
     prompt text not null,
     attached_context jsonb not null,
     caps jsonb not null,
     idempotency_key text,
     status text not null check (status in ('queued', 'planning', 'executing', 'awaiting_confirmation', 'awaiting_auth', 'completed', 'failed', 'canceled')),
     summary text,
     error jsonb,
     approval_token_hash text,
     log_version int not null,
     last_seq int not null,
     runnable boolean not null,
     wakes int not null,
     wake_at timestamptz,
     swept_at timestamptz,
     lease_epoch int not null default 0,
     lease_owner text,
     lease_until timestamptz,
     claims int not null default 0,
     cancel_requested_at timestamptz,
     spent_microusd bigint not null default 0,
     drawn_microusd bigint not null default 0,
     created_at timestamptz not null default now(),
     started_at timestamptz,
     finished_at timestamptz
   ) with (fillfactor = 50)`,
  `create index runs_by_owner on runs (owner_id, created_at desc, id)`,
  `create index runs_by_parent on runs (parent_run_id) where parent_run_id is not null`,
  `create index runs_runnable on runs (created_at) where runnable`,
  `create index runs_leased on runs (owner_id) where lease_owner is not null`,
  `create unique index runs_idempotency on runs (owner_id, idempotency_key) where idempotency_key is not null`,
  // Statements that hold the lock of the run's row write the rows of its log and projections, so
  // there are no foreign keys on the hot path.
  `create table run_events (
     id bigint generated always as identity,
     run_id uuid not null,
     seq int not null check (seq > 0),
     owner_id text not null,
     type text not null,
     payload jsonb not null,
     created_at timestamptz not null default clock_timestamp(),
     primary key (run_id, seq)
   )`,
  `create table actions (
     id uuid primary key,
     run_id uuid not null,
     owner_id text not null,
     step int not null,
     call_id text not null,
     tool text not null,
     state text not null,
     input jsonb not null,
     output jsonb,
     error jsonb,
     created_at timestamptz not null default clock_timestamp(),
     updated_at timestamptz not null default clock_timestamp()
   )`,
  `create index actions_by_run on actions (run_id, step)`,
  `create table effects (
     id uuid primary key,
     run_id uuid not null,
     owner_id text not null,
     action_id uuid not null,
     tool text not null,
     state text not null,
     digest text not null,
     prepared jsonb not null,
     attempts int not null default 0,
     deadline_at timestamptz,
     outcome jsonb,
     error jsonb,
     created_at timestamptz not null default clock_timestamp(),
     updated_at timestamptz not null default clock_timestamp()
   )`,
  `create index effects_by_run on effects (run_id)`,
  `create table approvals (
     id uuid primary key,
     run_id uuid not null,
     owner_id text not null,
     action_id uuid not null,
     effect_id uuid not null,
     tool text not null,
     state text not null,
     digest text not null,
     reason text not null,
     preview text not null,
     decision_reason text,
     created_at timestamptz not null default clock_timestamp(),
     expires_at timestamptz not null,
     decided_at timestamptz
   )`,
  `create index approvals_by_run on approvals (run_id)`,
  `create index approvals_open on approvals (expires_at) where state in ('pending', 'approved')`,
  `create table blobs (
     owner_id text not null references owners,
     digest text not null,
     bytes bytea not null,
     created_at timestamptz not null default now(),
     primary key (owner_id, digest)
   )`,
  `alter table blobs alter column bytes set storage external`,
  `create table artifacts (
     id uuid primary key,
     run_id uuid not null references runs,
     owner_id text not null,
     kind text not null,
     name text not null,
     media_type text not null,
     digest text not null,
     size_bytes bigint not null,
     blob_url text,
     data jsonb,
     created_at timestamptz not null default now(),
     foreign key (owner_id, digest) references blobs
   )`,
  `create index artifacts_by_run on artifacts (run_id)`,
  `create table uploads (
     id uuid primary key,
     owner_id text not null references owners,
     run_id uuid references runs,
     filename text not null,
     content_type text not null,
     blob_url text,
     digest text,
     size_bytes bigint not null,
     created_at timestamptz not null default now()
   )`,
  `create table bron_messages (
     id bigint generated always as identity primary key,
     owner_id text not null,
     bron_id uuid not null references brons,
     thread_id uuid not null references threads,
     run_id uuid references runs,
     role text not null check (role in ('user', 'assistant', 'system', 'tool')),
     content text not null,
     created_at timestamptz not null default clock_timestamp()
   )`,
  `create index bron_messages_by_thread on bron_messages (thread_id, id)`,
  `create table oauth_tokens (
     id uuid primary key,
     owner_id text not null references owners,
     provider text not null,
     user_id text not null,
     access_token text not null,
     refresh_token text,
     expiry timestamptz,
     scopes text[] not null,
     created_at timestamptz not null default now(),
     updated_at timestamptz not null default now()
   )`,
  `create table audit (
     id bigint generated always as identity primary key,
     owner_id text not null,
     run_id uuid not null,
     kind text not null,
     tool text not null,
     action_id uuid not null,
     effect_id uuid not null,
     digest text not null,
     detail jsonb not null,
     created_at timestamptz not null default clock_timestamp()
   )`,
  `create index audit_by_run on audit (run_id, id)`,
  `create function refuse_change() returns trigger language plpgsql as $$
   begin
     raise exception 'audit rows are never changed';
   end $$`,
  `create trigger audit_append_only before update or delete or truncate on audit for each statement execute function refuse_change()`,
  `create table instance (key text primary key, value text not null)`,
  // The limits hold only if claims are counted one after the other. There is one claim per segment,
  // not one per step.
  `create function claim_run(run uuid, worker text, lease_ms int, take_over_until timestamptz, max_per_owner int, max_in_all int, understood int)
   returns table (outcome text, epoch int, seq int, fruitless int, drawn bigint, cap bigint, database_now timestamptz) language plpgsql as $$
   declare
     r runs%rowtype;
     of_owner int;
     in_all int;
   begin
     outcome := 'not_runnable';
     select * into r from runs where id = run;
     if not found or not r.runnable or r.status in ('completed', 'failed', 'canceled') then return next; return; end if;
     outcome := 'too_new';
     if r.log_version > understood then return next; return; end if;
     outcome := 'too_early';
     if r.wake_at > clock_timestamp() and r.cancel_requested_at is null then return next; return; end if;
     outcome := 'taken';
     if r.lease_owner is not null and r.lease_owner <> worker and not (r.lease_until < clock_timestamp() and clock_timestamp() < take_over_until) then return next; return; end if;
     outcome := 'limit';
     -- The row first: whoever holds it for long keeps only this run from being claimed, not all of them.
     perform 1 from runs where id = run for update;
     perform pg_advisory_xact_lock(hashtextextended(current_schema() || '.claim_run', 0));
     select count(*) filter (where runs.owner_id = r.owner_id), count(*) into of_owner, in_all
       from runs where lease_owner is not null and lease_until >= clock_timestamp() and id <> run;
     if of_owner >= max_per_owner or in_all >= max_in_all then return next; return; end if;
     outcome := 'taken';
     -- A worker that takes up what it dropped itself, since the database was away, has not failed on it.
     update runs set lease_epoch = lease_epoch + 1, lease_owner = worker, lease_until = clock_timestamp() + lease_ms * interval '1 millisecond', claims = claims + case when lease_owner = worker then 0 else 1 end
       where id = run and runnable and status not in ('completed', 'failed', 'canceled')
         and (lease_owner is null or lease_owner = worker or (lease_until < clock_timestamp() and clock_timestamp() < take_over_until))
       returning * into r;
     if not found then return next; return; end if;
     select cap_microusd into cap from owners where id = r.owner_id;
     outcome := 'claimed';
     epoch := r.lease_epoch;
     seq := r.last_seq;
     fruitless := r.claims;
     drawn := r.drawn_microusd;
     database_now := clock_timestamp();
     return next;
   end $$`,
];
