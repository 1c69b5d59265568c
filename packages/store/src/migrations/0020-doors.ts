import { sql, type Kysely } from "kysely";

/** Turns that count more than once, tokens that know which token made them, and uploads that are removed when they are not used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // take_turn stays for servers of the version before, which may still run on this database. Null if all turns were counted under every key, else how many milliseconds to wait; then none was counted. Infinity if there is never room for so many.
  `create function take_turns(keys text[], limits int[], windows_ms float8[], turns int) returns float8 language plpgsql as $$
   declare
     moment timestamptz;
     wait float8;
   begin
     if turns > (select min(most) from unnest(limits) as most) then return 'Infinity'; end if;
     -- The first round takes no locks, so that a caller who is over a limit already does not queue for them.
     for round in 1..2 loop
       moment := clock_timestamp();
       select max(extract(epoch from used.at - moment) * 1000 + t.window_ms) into wait
       from unnest(keys, limits, windows_ms) as t (key, most, window_ms)
       cross join lateral (
         select r.at from rate_turns r where r.key = t.key and r.at > moment - t.window_ms * interval '1 millisecond' order by r.at desc offset t.most - turns limit 1
       ) used;
       if wait is not null then return greatest(1, ceil(wait)); end if;
       if round = 1 then
         perform pg_advisory_xact_lock(lock) from (select distinct hashtextextended(key, 15) as lock from unnest(keys) as key order by lock) ordered;
       end if;
     end loop;
     insert into rate_turns (key, at, gone_at)
     select key, moment, moment + max(window_ms) * interval '1 millisecond' from unnest(keys, windows_ms) as t (key, window_ms) cross join generate_series(1, turns) group by key, generate_series;
     -- More than any call adds, so that the table stays as small as the windows are short.
     delete from rate_turns where ctid = any (array(select ctid from rate_turns where gone_at < moment order by gone_at limit 20 + turns * 4 for update skip locked));
     return null;
   end $$`,
  // No foreign key: a token is removed together with all that it made, and a backup has its rows in any order.
  `alter table api_tokens add column made_by uuid`,
  // When bytes were last stored under this digest: an artifact that is about to be written may still need them.
  // With a constant first, so that the rows with all their bytes are not written again.
  `alter table blobs add column kept_at timestamptz not null default now()`,
  `alter table blobs alter column kept_at set default clock_timestamp()`,
  `create index uploads_unattached on uploads (created_at) where run_id is null`,
];
