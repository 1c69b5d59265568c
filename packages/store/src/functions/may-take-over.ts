import type { SqlFunction } from "./sql-function.ts";

/**
 * A worker whose last heartbeat was before the clock was set back does not judge other leases,
 * because its own time lies beyond the horizon.
 */
export const mayTakeOver: SqlFunction = {
  name: "may_take_over",
  text: `
create or replace function may_take_over(lease_until timestamptz, take_over_until timestamptz, lease_ms int) returns boolean language sql volatile as $$
  select clock_timestamp() < take_over_until
    and (lease_until < clock_timestamp() or (lease_until > lease_horizon(lease_ms) and take_over_until <= lease_horizon(lease_ms))) $$`,
};
