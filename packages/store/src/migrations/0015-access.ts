import { sql, type Kysely } from "kysely";

/** Adds sessions, personal tokens, rate limits, open streams, and the owners' model keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // External sign-ins that are older than this are refused.
  `alter table owners add column sessions_after timestamptz`,
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
  // Unlogged, because these rows expire soon and may be lost in a crash of the database.
  `create unlogged table rate_turns (
     key text not null,
     at timestamptz not null,
     gone_at timestamptz not null
   )`,
  `create index rate_turns_by_key on rate_turns (key, at)`,
  `create index rate_turns_gone on rate_turns (gone_at)`,
  // Returns null if the request was counted under every key. Otherwise it was counted under none,
  // and the result is how many milliseconds to wait.
  `create function take_turn(keys text[], limits int[], windows_ms float8[]) returns float8 language plpgsql as $$
   declare
     moment timestamptz;
     wait float8;
   begin
     -- First without locks, so that whoever is over a limit already does not queue for them.
     for round in 1..2 loop
       moment := clock_timestamp();
       select max(extract(epoch from used.at - moment) * 1000 + t.window_ms) into wait
       from unnest(keys, limits, windows_ms) as t (key, most, window_ms)
       cross join lateral (
         select r.at from rate_turns r where r.key = t.key and r.at > moment - t.window_ms * interval '1 millisecond' order by r.at desc offset t.most - 1 limit 1
       ) used;
       if wait is not null then return greatest(1, ceil(wait)); end if;
       if round = 1 then
         perform pg_advisory_xact_lock(lock) from (select distinct hashtextextended(key, 15) as lock from unnest(keys) as key order by lock) ordered;
       end if;
     end loop;
     insert into rate_turns (key, at, gone_at)
     select key, moment, moment + max(window_ms) * interval '1 millisecond' from unnest(keys, windows_ms) as t (key, window_ms) group by key;
     -- More than any turn adds, so that the table stays as small as the windows are short.
     delete from rate_turns where ctid = any (array(select ctid from rate_turns where gone_at < moment order by gone_at limit 20 for update skip locked));
     return null;
   end $$`,
  `create unlogged table stream_slots (
     id uuid primary key,
     owner_id text not null,
     holder text not null,
     good_until timestamptz not null
   )`,
  `create index stream_slots_by_owner on stream_slots (owner_id)`,
  `create function take_stream_slot(owner text, most int, slot uuid, held_by text, good_ms float8) returns boolean language plpgsql as $$
   begin
     perform pg_advisory_xact_lock(hashtextextended(owner, 16));
     delete from stream_slots where owner_id = owner and good_until < clock_timestamp();
     if (select count(*) from stream_slots where owner_id = owner) >= most then return false; end if;
     insert into stream_slots (id, owner_id, holder, good_until) values (slot, owner, held_by, clock_timestamp() + good_ms * interval '1 millisecond');
     return true;
   end $$`,
];
