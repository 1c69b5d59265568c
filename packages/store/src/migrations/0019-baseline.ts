import { sql, type Kysely } from "kysely";
import { refuseChange } from "../functions/refuse-change.ts";

/**
 * Creates the tables of schema 19. It replaces the migrations 0001 to 0019, which no database needs
 * any more: `adoptBaseline` renames them in databases that they created.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    ...owners,
    ...runs,
    ...projections,
    ...files,
    ...messages,
    ...audit,
    ...permissions,
    ...access,
    ...instance,
  ])
    await sql.raw(statement).execute(db);
}

const owners = [
  // External sign-ins that are older than `sessions_after` are refused.
  `create table owners (
     id text primary key,
     cap_microusd bigint check (cap_microusd >= 0),
     drawn_microusd bigint not null default 0 check (drawn_microusd >= 0),
     created_at timestamptz not null default now(),
     sessions_after timestamptz
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
  `create index brons_by_owner on brons (owner_id)`,
  `create table threads (
     id uuid primary key,
     owner_id text not null references owners,
     bron_id uuid not null references brons,
     title text not null default '',
     is_default boolean not null default false,
     created_at timestamptz not null default now()
   )`,
  `create unique index threads_default on threads (bron_id) where is_default`,
];

const runs = [
  // Every append updates this row. Free space on the page, and no index on the changed columns, let
  // Postgres update it in place.
  //
  // `card` is the run's last card as one line, because finding it in the log would require reading
  // all of the log. `not_done` counts the requested changes that the run did not make. `retry_of`
  // is the run whose log has what this one may reuse. `parent_told` is the state of a child run
  // that its parent last recorded.
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
     finished_at timestamptz,
     retry_of uuid references runs,
     card jsonb,
     input_tokens bigint not null default 0,
     output_tokens bigint not null default 0,
     not_done integer not null default 0,
     parent_told text not null default 'running' check (parent_told in ('running', 'waiting', 'over'))
   ) with (fillfactor = 50)`,
  `create index runs_by_owner on runs (owner_id, created_at desc, id)`,
  // A run ends once, and no append before that changes an indexed column.
  `create index runs_by_bron on runs (owner_id, bron_id, finished_at)`,
  `create index runs_by_parent on runs (parent_run_id) where parent_run_id is not null`,
  `create index runs_untold on runs (parent_run_id) where parent_run_id is not null and parent_told <> 'over'`,
  `create index runs_runnable on runs (created_at) where runnable`,
  `create index runs_leased on runs (owner_id) where lease_owner is not null`,
  `create unique index runs_idempotency on runs (owner_id, idempotency_key) where idempotency_key is not null`,
  // One row for each append. `seq` is that of the last event. `events` has the type and payload of
  // each event. The type is json, which is smaller than jsonb and never parsed on the hot path.
  `create table run_log (
     run_id uuid not null,
     seq int not null check (seq > 0),
     owner_id text not null,
     events json not null,
     created_at timestamptz not null,
     primary key (run_id, seq)
   )`,
  `create view run_events as
   select l.run_id || '-' || (l.seq - json_array_length(l.events) + e.position) as id,
     l.run_id, (l.seq - json_array_length(l.events) + e.position)::int as seq, l.owner_id, e.event ->> 'type' as type, (e.event -> 'payload')::jsonb as payload, l.created_at
   from run_log l, json_array_elements(l.events) with ordinality as e (event, position)`,
  // Partial text needs no crash-safe write, because the model is called again after a crash.
  `create unlogged table answers_in_progress (
     run_id uuid primary key,
     owner_id text not null,
     step int not null,
     attempt int not null,
     text text not null
   )`,
];

// Statements that hold the lock of the run's row write the rows of its projections, so there are no
// foreign keys on the hot path. The log contains inputs and results.
const projections = [
  `create table actions (
     id uuid not null,
     run_id uuid not null,
     owner_id text not null,
     step int not null,
     call_id text not null,
     tool text not null,
     state text not null,
     error jsonb,
     created_at timestamptz not null default clock_timestamp(),
     updated_at timestamptz not null default clock_timestamp(),
     primary key (run_id, id)
   )`,
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
     updated_at timestamptz not null default clock_timestamp(),
     settled_as text check (settled_as in ('happened', 'did_not_happen')),
     settled_at timestamptz,
     settled_note text
   )`,
  `create index effects_by_run on effects (run_id)`,
  `create index effects_in_doubt on effects (owner_id, updated_at) where state = 'unknown' and settled_at is null`,
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
     decided_at timestamptz,
     token_hash text,
     risks jsonb not null default '[]',
     difference jsonb not null default '[]',
     answer text,
     undo_until timestamptz
   )`,
  `create index approvals_by_run on approvals (run_id)`,
  `create index approvals_open on approvals (expires_at) where state in ('pending', 'approved')`,
  `create index approvals_pending on approvals (owner_id, run_id) where state = 'pending'`,
  `create index approvals_decided on approvals (owner_id, decided_at) where decided_at is not null`,
];

const files = [
  // The bytes are in the row, or in an S3 bucket at `location`.
  `create table blobs (
     owner_id text not null references owners,
     digest text not null,
     bytes bytea,
     created_at timestamptz not null default now(),
     location text,
     primary key (owner_id, digest),
     constraint blobs_somewhere check (bytes is not null or location is not null)
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
  // A pending upload has no digest, and expires.
  `create table uploads (
     id uuid primary key,
     owner_id text not null references owners,
     run_id uuid references runs,
     filename text not null,
     content_type text not null,
     blob_url text,
     digest text,
     size_bytes bigint not null,
     created_at timestamptz not null default now(),
     expires_at timestamptz,
     foreign key (owner_id, digest) references blobs
   )`,
  `create index uploads_by_owner on uploads (owner_id)`,
];

const messages = [
  `create table bron_messages (
     id bigint generated always as identity primary key,
     owner_id text not null,
     bron_id uuid not null references brons,
     thread_id uuid not null references threads,
     run_id uuid references runs,
     role text not null check (role in ('user', 'assistant', 'system', 'tool')),
     content text not null,
     created_at timestamptz not null default clock_timestamp(),
     trusted boolean not null default false
   )`,
  `create index bron_messages_by_thread on bron_messages (thread_id, id)`,
];

const audit = [
  `create table audit (
     id bigint generated always as identity primary key,
     owner_id text not null,
     run_id uuid,
     what text not null,
     tool text,
     action_id uuid,
     effect_id uuid,
     digest text,
     details jsonb not null,
     created_at timestamptz not null default clock_timestamp(),
     approval_id uuid,
     by text not null check (by in ('owner', 'bron', 'system'))
   )`,
  `create index audit_by_run on audit (run_id, id)`,
  `create index audit_by_owner on audit (owner_id, id)`,
  refuseChange.text,
  `create trigger audit_append_only before update or delete or truncate on audit for each statement execute function refuse_change()`,
];

const permissions = [
  `create table rules (
     id uuid primary key,
     owner_id text not null references owners,
     bron_id uuid references brons,
     tool text not null,
     verdict text not null check (verdict in ('allow', 'ask', 'deny')),
     created_at timestamptz not null default clock_timestamp()
   )`,
  `create unique index rules_once on rules (owner_id, coalesce(bron_id, '00000000-0000-0000-0000-000000000000'), tool)`,
  `create table allowed (
     id uuid primary key,
     owner_id text not null references owners,
     kind text not null check (kind in ('person', 'domain')),
     value text not null,
     created_at timestamptz not null default clock_timestamp(),
     unique (owner_id, value)
   )`,
  `create table grants (
     id uuid primary key,
     owner_id text not null references owners,
     bron_id uuid references brons,
     tool text not null,
     recipient text not null,
     expires_at timestamptz not null,
     revoked_at timestamptz,
     uses integer not null default 0,
     created_at timestamptz not null default clock_timestamp()
   )`,
  `create index grants_by_owner on grants (owner_id, expires_at)`,
  // The people to whom an owner has written personally, as far as Bron has looked them up.
  `create table contacts (
     owner_id text not null references owners,
     source text not null,
     address text not null,
     names text[] not null,
     found_at timestamptz not null default clock_timestamp(),
     primary key (owner_id, source, address)
   )`,
];

const access = [
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
  `create unique index oauth_tokens_by_owner on oauth_tokens (owner_id, provider)`,
  // An ended session is kept until it would have expired, so that a cookie that another service
  // signed cannot be used again.
  `create table sessions (
     id uuid primary key,
     owner_id text not null references owners,
     secret_hash text not null unique,
     via text not null check (via in ('link', 'firebase')),
     user_agent text not null,
     created_at timestamptz not null default clock_timestamp(),
     last_seen_at timestamptz not null default clock_timestamp(),
     expires_at timestamptz not null,
     ended_at timestamptz
   )`,
  `create index sessions_by_owner on sessions (owner_id)`,
  `create index sessions_expired on sessions (expires_at)`,
  `create table api_tokens (
     id uuid primary key,
     owner_id text not null references owners,
     name text not null,
     scopes text[] not null,
     token_hash text not null unique,
     hint text not null,
     created_at timestamptz not null default clock_timestamp(),
     last_used_at timestamptz,
     expires_at timestamptz
   )`,
  `create index api_tokens_by_owner on api_tokens (owner_id)`,
  `create table model_keys (
     owner_id text not null references owners,
     provider text not null,
     sealed_key text not null,
     hint text not null,
     model text,
     updated_at timestamptz not null default clock_timestamp(),
     primary key (owner_id, provider)
   )`,
  // Unlogged, because the rows of these two expire soon and may be lost in a crash of the database.
  `create unlogged table rate_turns (
     key text not null,
     at timestamptz not null,
     gone_at timestamptz not null
   )`,
  `create index rate_turns_by_key on rate_turns (key, at)`,
  `create index rate_turns_gone on rate_turns (gone_at)`,
  `create unlogged table stream_slots (
     id uuid primary key,
     owner_id text not null,
     holder text not null,
     good_until timestamptz not null
   )`,
  `create index stream_slots_by_owner on stream_slots (owner_id)`,
];

const instance = [
  // What every process on this database must agree on.
  `create table instance (key text primary key, value text not null)`,
  // Keys that work once.
  `create table used_keys (key text primary key, used_at timestamptz not null default now())`,
];
