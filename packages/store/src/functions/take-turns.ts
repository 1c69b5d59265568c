import type { SqlFunction } from "./sql-function.ts";

/**
 * Returns null if all turns were counted under every key. Otherwise none was counted, and the
 * result is how many milliseconds to wait.
 */
export const takeTurns: SqlFunction = {
  name: "take_turns",
  text: `
create or replace function take_turns(keys text[], limits int[], windows_ms float8[], turns int) returns float8 language plpgsql as $$
declare
  moment timestamptz;
  wait float8;
begin
  if turns > (select min(most) from unnest(limits) as most) then return 'Infinity'; end if;
  -- The first round takes no locks, so that a caller who is over a limit already does not queue for them.
  for round in 1..2 loop
    moment := clock_timestamp();
    -- Without the lock, a turn may be later than this moment.
    select max(least(extract(epoch from used.at - moment), 0) * 1000 + t.window_ms) into wait
    from unnest(keys, limits, windows_ms) as t (key, most, window_ms)
    cross join lateral (
      select r.at from rate_turns r where r.key = t.key
        and r.at > moment - t.window_ms * interval '1 millisecond' order by r.at desc offset t.most - turns limit 1
    ) used;
    if wait is not null then return greatest(1, ceil(wait)); end if;
    if round = 1 then
      perform pg_advisory_xact_lock(lock) from (select distinct hashtextextended(key, 15) as lock from unnest(keys) as key order by lock) ordered;
    end if;
  end loop;
  insert into rate_turns (key, at, gone_at)
  select key, moment, moment + max(window_ms) * interval '1 millisecond'
    from unnest(keys, windows_ms) as t (key, window_ms) cross join generate_series(1, turns) group by key, generate_series;
  -- More than any call adds, so that the table stays as small as the windows are short.
  delete from rate_turns where ctid = any (array(select ctid from rate_turns where gone_at < moment
    order by gone_at limit 20 + turns * 4 for update skip locked));
  return null;
end $$`,
};
