import type { SqlFunction } from "./sql-function.ts";

/** Returns false if the owner has as many open streams as allowed. */
export const takeStreamSlot: SqlFunction = {
  name: "take_stream_slot",
  text: `
create or replace function take_stream_slot(owner text, most int, slot uuid, held_by text, good_ms float8) returns boolean language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(owner, 16));
  delete from stream_slots where owner_id = owner and good_until < clock_timestamp();
  if (select count(*) from stream_slots where owner_id = owner) >= most then return false; end if;
  insert into stream_slots (id, owner_id, holder, good_until) values (slot, owner, held_by, clock_timestamp() + good_ms * interval '1 millisecond');
  return true;
end $$`,
};
