import type { SqlFunction } from "./sql-function.ts";

export const leaseIsLive: SqlFunction = {
  name: "lease_is_live",
  text: `
create or replace function lease_is_live(lease_until timestamptz, lease_ms int) returns boolean language sql volatile as $$
  select lease_until between clock_timestamp() and lease_horizon(lease_ms) $$`,
};
