import { workerTimeoutMs } from "@bron/core";
import type { SqlFunction } from "./sql-function.ts";

/**
 * Whether a worker that runs now serves a place. A place contains what a worker must serve: that
 * worker may serve all folders of a machine.
 */
export const placeIsServed: SqlFunction = {
  name: "place_is_served",
  text: `
create or replace function place_is_served(place jsonb) returns boolean language sql volatile as $$
  select exists (select from workers w where w.seen_at >= clock_timestamp() - interval '${workerTimeoutMs} milliseconds' and place @> any (w.places)) $$`,
};
