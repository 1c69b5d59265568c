import type { SqlFunction } from "./sql-function.ts";

/**
 * No living worker has a lease that ends later, because each renews its own every second. The
 * minute leaves room for workers with longer leases.
 */
export const leaseHorizon: SqlFunction = {
  name: "lease_horizon",
  text: `
create or replace function lease_horizon(lease_ms int) returns timestamptz language sql volatile as $$
  select clock_timestamp() + greatest(4 * lease_ms::bigint, 60000) * interval '1 millisecond' $$`,
};
